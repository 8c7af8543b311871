/** Returns a new id for a message. `crypto.randomUUID` would do, but a page on plain http does not have it. */
export function newMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `m-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
