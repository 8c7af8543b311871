import type { KeyboardEvent } from "react";

/**
 * Keeps the keys that are pressed in a dialog or a menu from the page behind it, where they would decide something.
 *
 * Escape still closes: it is listened for before any key gets here.
 */
export function keepKeys(event: KeyboardEvent): void {
  event.stopPropagation();
}
