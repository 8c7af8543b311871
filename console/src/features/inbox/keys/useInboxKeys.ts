import { useEffect, useEffectEvent, useRef } from "react";

/** What each key of the list does; the detail has keys of its own. */
export interface InboxKeys {
  move: (step: 1 | -1) => void;
  open: () => void;
  mark: () => void;
  markAlike: () => void;
  decideMarked: () => void;
  search: () => void;
  help: () => void;
  leave: () => void;
}

/** A held key repeats faster than a browser lets an address change. */
const STEP_MS = 60;

/** Listens for the list's keys wherever the focus is, but for fields: there they are letters. */
export function useInboxKeys(keys: InboxKeys): void {
  const moved = useRef(0);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isField(event.target)) return;
    const act = actOf(event, keys);
    if (!act) return;
    event.preventDefault();
    const isMove = event.key === "j" || event.key === "k";
    // Holding a key walks on; nothing else happens twice.
    if (event.repeat && (!isMove || event.timeStamp - moved.current < STEP_MS)) return;
    if (isMove) moved.current = event.timeStamp;
    act();
  });
  useEffect(() => {
    document.documentElement.addEventListener("keydown", press);
    return () => {
      document.documentElement.removeEventListener("keydown", press);
    };
  }, []);
}

function actOf(event: KeyboardEvent, keys: InboxKeys): (() => void) | null {
  switch (event.key) {
    case "j":
      return () => {
        keys.move(1);
      };
    case "k":
      return () => {
        keys.move(-1);
      };
    case "x":
      return keys.mark;
    case "X":
      return event.shiftKey ? keys.markAlike : keys.mark;
    case "/":
      return keys.search;
    case "?":
      return keys.help;
    case "Escape":
      return keys.leave;
    case "Enter":
      // On a button or a link it is theirs.
      if (isControl(event.target)) return null;
      return event.shiftKey ? keys.decideMarked : keys.open;
    default:
      return null;
  }
}

/** Checkboxes and the like take no letters, so that keys work while one of them has the focus. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary") !== null;
}
