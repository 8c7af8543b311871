/** Arguments while they are being changed. The form and the JSON text are two views of one value. */
import type { Args } from "@/api/types";
import { readArguments, writeArguments } from "@/features/inbox/edit/values/editedArguments";
import { pathOf, type Place, withAt } from "@/features/inbox/edit/values/places";

export interface EditorDraft {
  value: Args;
  /** The JSON text as it was typed; null when the form was changed since. */
  json: string | null;
  /** What inputs show that the value does not tell, by path: "1.50" on the way to a number. */
  typed: Readonly<Record<string, string>>;
  /** The paths whose text cannot be read: the value there stays as it was. */
  unread: readonly string[];
}

export function draftOf(value: Args): EditorDraft {
  return { value, json: null, typed: {}, unread: [] };
}

/** Takes a value over from an input; `typed` is its text where that says more. */
export function enter(draft: EditorDraft, place: Place, next: unknown, typed?: string): EditorDraft {
  const path = pathOf(place);
  // A list that changes moves what is in it.
  const isElsewhere = (other: string) => other !== path && !other.startsWith(`${path}.`);
  const kept = Object.entries(draft.typed).filter(([other]) => isElsewhere(other));
  return {
    value: withAt(draft.value, place, next) as Args,
    json: null,
    typed: Object.fromEntries(typed === undefined ? kept : [...kept, [path, typed]]),
    unread: draft.unread.filter(isElsewhere),
  };
}

export function enterUnread(draft: EditorDraft, place: Place, text: string): EditorDraft {
  const path = pathOf(place);
  const unread = [...draft.unread.filter((other) => other !== path), path];
  return { ...draft, json: null, typed: { ...draft.typed, [path]: text }, unread };
}

export function enterJson(draft: EditorDraft, text: string): EditorDraft {
  const read = readArguments(text);
  return { value: read.ok ? read.args : draft.value, json: text, typed: {}, unread: [] };
}

export function jsonOf(draft: EditorDraft): string {
  return draft.json ?? writeArguments(draft.value);
}
