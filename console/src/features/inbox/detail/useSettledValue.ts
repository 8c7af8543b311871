import { useEffect, useState } from "react";

/** Returns a value once it has been there for a while; null until then. */
export function useSettledValue(value: string, afterMs: number): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, afterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [value, afterMs]);
  return settled === value ? settled : null;
}
