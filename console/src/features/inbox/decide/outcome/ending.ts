import type { DecisionKind, Me, Request } from "@/api/types";

export type Ending = DecisionKind | "expired" | "withdrawn" | "indeterminate";

/** How a request ended, as one word. */
export function endingOf({ status, decision }: Request): Ending {
  if (status === "expired" || status === "withdrawn" || status === "indeterminate") return status;
  return decision?.type ?? "withdrawn";
}

/** Whether this operator ended a request, here or in another window. */
export function isEndedBy(me: Me | undefined, { decided_by: by }: Request): boolean {
  return Boolean(by?.id) && by?.id === me?.id;
}

export function toneOf(request: Request): "success" | "danger" | "calm" {
  switch (endingOf(request)) {
    case "approve":
    case "edit":
    case "respond":
      return "success";
    case "reject":
    case "indeterminate":
      return "danger";
    case "expired":
    case "withdrawn":
      return "calm";
  }
}
