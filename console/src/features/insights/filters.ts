/** What the address of a list may say, handed on to the service as it stands. */
import type { RequestQuery } from "@/api/insights";

export const FILTERS = [
  "status",
  "audience",
  "created_from",
  "created_to",
  "decided_from",
  "decided_to",
  "session_from",
  "session_to",
  "question_type",
  "tool",
  "agent",
  "outcome",
  "fallback",
  "response",
  "decided_by",
  "claimed_first_by",
  "edited",
  "decided",
  "claimed",
  "first",
  "quick",
  "repeated",
  "doubted",
  "settled",
] as const satisfies readonly (keyof RequestQuery)[];

type Filter = (typeof FILTERS)[number];

export function isFilter(name: string): name is Filter {
  return (FILTERS as readonly string[]).includes(name);
}

/** The service checks the values itself, and says which one is wrong. */
export function queryOf(search: URLSearchParams): RequestQuery {
  const said = [...search.entries()].filter(([name]) => isFilter(name));
  return { status: "all", ...Object.fromEntries(said) };
}
