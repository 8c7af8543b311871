/** One-line summaries for the list. The detail shows everything in full. */
import { isInWords } from "@/api/requestKinds";
import type { Args, DecisionKind, Request } from "@/api/types";

const KEY_ARGUMENTS = 3;
const LONGEST_VALUE = 48;
const SHORT_ID = 8;

/** The arguments that tell requests of one tool apart: the first few, short enough for one line. */
export function keyArguments(args: Args): { name: string; value: string }[] {
  return Object.entries(args)
    .slice(0, KEY_ARGUMENTS)
    .map(([name, value]) => ({ name, value: shorten(inOneLine(value)) }));
}

export function headline(request: Request): string {
  return (isInWords(request) && request.question) || request.tool;
}

/** Whom it is about: the customer's name, or the start of the session's id where nobody said one. */
export function customerOf(request: Request): string {
  return request.customer || request.session_id.slice(0, SHORT_ID);
}

export type Ending = DecisionKind | "expired" | "withdrawn";

/** How a request left the inbox. */
export function endingOf({ status, decision }: Request): Ending {
  return status === "expired" ? "expired" : (decision?.type ?? "withdrawn");
}

function inOneLine(value: unknown): string {
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === "object" && value !== null) return "{…}";
  return String(value);
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE - 1).join("")}…` : text;
}
