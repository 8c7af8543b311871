import type { Request } from "@/api/types";

export type Ending = "approve" | "edit" | "reject" | "respond" | "expired" | "withdrawn" | "indeterminate";

/** How a request ended, as one word. */
export function endingOf({ status, decision }: Request): Ending {
  if (status === "expired" || status === "withdrawn" || status === "indeterminate") return status;
  return decision?.type ?? "withdrawn";
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
