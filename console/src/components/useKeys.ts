import { useEffectEvent, useLayoutEffect } from "react";

const NOT_TYPED_INTO = ["radio", "checkbox", "button", "submit"];

/**
 * Calls with each key that is pressed alone, unless somebody is typing. A radio button is not a place to type.
 *
 * It listens from the first moment that the page can be seen: who works by keyboard is quicker than an effect.
 */
export function useKeys(onKey: (key: string, event: KeyboardEvent) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    onKey(event.key, event);
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      press(event);
    };
    document.addEventListener("keydown", listen);
    return () => {
      document.removeEventListener("keydown", listen);
    };
  }, []);
}

/** Calls with 0 to 8 for the keys 1 to 9. */
export function useDigitKeys(onDigit: (index: number) => void): void {
  useKeys((key) => {
    if (/^[1-9]$/.test(key)) onDigit(Number(key) - 1);
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.includes(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName));
}
