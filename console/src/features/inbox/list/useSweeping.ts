import { useEffect, useRef, useState } from "react";

/** How long nobody must have touched the list before it closes up over what was settled. */
const AT_REST_MS = 4_000;

interface Sweeping {
  /** Settled requests up to this number have left the list. */
  swept: number;
  /** Somebody points at the list or walks through it. */
  touch: () => void;
}

/**
 * Settled requests stay where they were while somebody works in the list, and leave together when it is at rest:
 * no row moves up under a hand that is about to click.
 */
export function useSweeping(settlements: number): Sweeping {
  const [swept, setSwept] = useState(0);
  const touched = useRef(0);
  useEffect(() => {
    if (swept === settlements) return;
    const since = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - Math.max(since, touched.current) >= AT_REST_MS) setSwept(settlements);
    }, AT_REST_MS / 8);
    return () => {
      clearInterval(timer);
    };
  }, [swept, settlements]);
  return {
    swept,
    touch: () => {
      touched.current = Date.now();
    },
  };
}
