import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to an element when it appears because somebody asked for it. */
export function useFocusOnMount<T extends HTMLElement>(wanted = true): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => {
    if (wanted) element.current?.focus();
  }, [wanted]);
  return element;
}
