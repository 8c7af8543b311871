/** A key that names one call, so that sending it again is not a second call. Works without a secure context. */
export function newCallKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
