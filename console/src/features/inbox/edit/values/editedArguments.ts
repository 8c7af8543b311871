import type { Args } from "@/api/types";
import { escapeHidden } from "@/components/text/hiddenCharacters";

/** `error` is the parser's own word, or null when the text is JSON but not an object. */
export type ReadArguments = { ok: true; args: Args } | { ok: false; error: string | null };

/** Writes arguments for editing. Nothing in a text field can mark a hidden character, so each is escaped. */
export function writeArguments(args: Args): string {
  return escapeHidden(JSON.stringify(args, null, 2));
}

export function readArguments(text: string): ReadArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
  return isArguments(value) ? { ok: true, args: value } : { ok: false, error: null };
}

function isArguments(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
