import { useState } from "react";

/** Returns a value as it was when it began to be held; else as it is. */
export function useHeld<T>(value: T, held: boolean): T {
  const [last, setLast] = useState(value);
  if (held) return last;
  if (last !== value) setLast(value);
  return value;
}
