import type { DecisionKind, SessionStatus } from "@/api/types";
import type { ToolEntry } from "@/transcript/entries";

export type CallState =
  | "proposed"
  | "waiting"
  | "confirm"
  | "approved"
  | "edited"
  | "rejected"
  | "running"
  | "success"
  | "successEdited"
  | "error"
  | "expired"
  | "stopped";

const DECIDED = {
  approve: "approved",
  edit: "edited",
  reject: "rejected",
  respond: "approved",
} as const satisfies Record<DecisionKind, CallState>;

/** How far a call got, as far as its reader may know: a customer does not see what operators decide. */
export function callState(call: ToolEntry, status: SessionStatus): CallState {
  const decided = call.request?.decision?.type;
  const refused = decided !== undefined && DECIDED[decided] === "rejected";
  if (call.state === "stopped") return "stopped";
  if (call.state !== "open") {
    if (refused) return "rejected";
    if (call.request?.status === "expired") return "expired";
    return call.state === "success" && decided === "edit" ? "successEdited" : call.state;
  }
  const waiting = status === "waiting_for_human";
  // Of several calls that were asked about together none starts before the last is decided.
  if (decided) return waiting || refused ? DECIDED[decided] : "running";
  if (waiting) return call.request?.audience === "customer" ? "confirm" : "waiting";
  return call.asked ? "running" : "proposed";
}
