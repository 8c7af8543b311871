/** How an operator wants to be told of new requests. Off until chosen, and remembered in this browser. */

export interface AlertChoice {
  readonly sound: boolean;
  readonly desktop: boolean;
}

const KEY = "handraise.alerts";
export const QUIET: AlertChoice = { sound: false, desktop: false };

export function rememberedChoice(): AlertChoice {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<AlertChoice> | null;
    return { sound: kept?.sound === true, desktop: kept?.desktop === true };
  } catch {
    // Somebody else's text, or a browser that keeps nothing.
    return QUIET;
  }
}

export function rememberChoice(choice: AlertChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // It holds for this visit then.
  }
}
