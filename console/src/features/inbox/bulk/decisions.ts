/** What a set of marked requests can be given together. */
import { DECISION_KINDS } from "@/api/decisions";
import type { Decision, DecisionKind, Request, RequestKind } from "@/api/types";
import { alikeKey } from "@/features/inbox/bulk/marks";

/** Which decisions can be made of many at once: an edit is of one call's arguments. */
const OF_MANY = {
  approve: true,
  edit: false,
  reject: true,
  respond: true,
} as const satisfies Record<DecisionKind, boolean>;

export type Choice = { [Kind in DecisionKind]: (typeof OF_MANY)[Kind] extends true ? Kind : never }[DecisionKind];
export const CHOICES = DECISION_KINDS.filter((kind): kind is Choice => OF_MANY[kind]);

/** What is filled in beside the choice. */
export interface Draft {
  choice: Choice;
  reason: string;
  text: string;
  option: string | null;
}

/** The choices that at least one takes. An answer in words is only for questions that all ask the same. */
export function choicesFor(requests: readonly Request[]): Choice[] {
  return CHOICES.filter((choice) => {
    const taking = takers(requests, choice);
    return taking.length > 0 && (choice !== "respond" || new Set(taking.map(alikeKey)).size === 1);
  });
}

/** Which kinds are answered in words many at a time: in a call's place, or of what became of one, one by one. */
const ANSWERED_TOGETHER: Record<RequestKind, boolean> = { approval: false, question: true, settlement: false };

export function takers(requests: readonly Request[], choice: Choice): Request[] {
  return requests.filter(
    ({ allowed, kind }) => allowed.includes(choice) && (choice !== "respond" || ANSWERED_TOGETHER[kind]),
  );
}

/** The decision as filled in, or null while something is missing. */
export function decisionOf({ choice, reason, text, option }: Draft): Decision | null {
  switch (choice) {
    case "approve":
      return { type: "approve" };
    case "reject":
      return { type: "reject", reason: reason.trim() };
    case "respond":
      return text.trim() || option !== null ? { type: "respond", text: text.trim(), selected_option: option } : null;
  }
}
