const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a number as JSON has it, whatever the browser's own language writes; null for anything else. */
export function readNumber(text: string): number | null {
  const number = Number(text);
  return NUMBER.test(text.trim()) && Number.isFinite(number) ? number : null;
}
