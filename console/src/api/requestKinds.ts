/** The kinds of request: what people see of each. A kind that is left out does not compile. */
import type { Request, RequestKind } from "@/api/types";

const SHOWN_AS = { approval: "call", question: "words", settlement: "words" } as const satisfies Record<
  RequestKind,
  "call" | "words"
>;

export const REQUEST_KINDS = Object.keys(SHOWN_AS) as RequestKind[];

/** Whether a request is told by its words, and not by the tool and its arguments. */
export function isInWords({ kind }: Request): boolean {
  return SHOWN_AS[kind] === "words";
}
