/** What was begun and not sent, by request. It survives live changes, going elsewhere and back, and a reload. */
import { useState } from "react";
import type { DecisionKind } from "@/api/types";
import type { EditorDraft } from "@/features/inbox/edit/values/editorDraft";

/** A decision that something is filled in for. */
export type FilledIn = Exclude<DecisionKind, "approve">;
export type FormKind = FilledIn | "settle";

export interface Draft {
  /** The form that is open; null when none is. */
  form: FormKind | null;
  reason: string;
  text: string;
  option: string | null;
  /** Edited arguments, or an answer that has a form of its own. */
  editor: EditorDraft | null;
}

export const NO_DRAFT: Draft = { form: null, reason: "", text: "", option: null, editor: null };

const STORAGE_KEY = "handraise.drafts";
const MOST_KEPT = 50;

let kept: Map<string, Draft> | null = null;

export function draftOf(requestId: string): Draft {
  return { ...NO_DRAFT, ...all().get(requestId) };
}

export function keepDraft(requestId: string, draft: Draft): void {
  const drafts = all();
  drafts.delete(requestId);
  if (!isEmpty(draft) || draft.form !== null) drafts.set(requestId, draft);
  for (const oldest of [...drafts.keys()].slice(0, -MOST_KEPT)) drafts.delete(oldest);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...drafts]));
  } catch {
    // A browser may refuse storage, or have none left: then a draft lasts as long as the page.
  }
}

/** Forgets what this page remembers, as a reload does; what is stored stays. */
export function forgetDraftsOfPage(): void {
  kept = null;
}

/** True when nothing was written that would be missed. */
export function isEmpty({ reason, text, option, editor }: Draft): boolean {
  return !reason.trim() && !text.trim() && option === null && editor === null;
}

interface DraftInHand {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  discard: () => void;
}

export function useDraft(requestId: string): DraftInHand {
  const [draft, setDraft] = useState(() => draftOf(requestId));
  const put = (next: Draft) => {
    keepDraft(requestId, next);
    setDraft(next);
  };
  return {
    draft,
    change: (changes) => {
      // Read anew: two changes in one event must not undo each other.
      put({ ...draftOf(requestId), ...changes });
    },
    discard: () => {
      put(NO_DRAFT);
    },
  };
}

function all(): Map<string, Draft> {
  kept ??= stored();
  return kept;
}

function stored(): Map<string, Draft> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as [string, Draft][]);
  } catch {
    return new Map();
  }
}
