import { expect, test } from "vitest";
import type { Request } from "@/api/types";
import { aRequest, approvedBy, AT } from "@/testing/examples";
import { callState } from "@/transcript/callState";
import type { ToolEntry } from "@/transcript/entries";

const call = (changes: Partial<ToolEntry> = {}): ToolEntry => ({
  kind: "tool",
  id: "c1",
  tool: "refund",
  args: {},
  state: "open",
  asked: false,
  request: null,
  content: "",
  at: AT,
  ...changes,
});
const approved = approvedBy("", aRequest());
const edited: Request = { ...approved, decision: { type: "edit", args: {} } };
const rejected: Request = { ...approved, decision: { type: "reject", reason: "" } };

test.each([
  ["proposed", call(), "active"],
  ["waiting", call({ asked: true }), "waiting_for_human"],
  ["confirm", call({ asked: true, request: aRequest({ audience: "customer" }) }), "waiting_for_human"],
  ["approved", call({ asked: true, request: approved }), "waiting_for_human"],
  ["edited", call({ asked: true, request: edited }), "waiting_for_human"],
  ["rejected", call({ asked: true, request: rejected }), "active"],
  ["running", call({ asked: true, request: approved }), "active"],
  ["running", call({ asked: true }), "active"],
  ["success", call({ state: "success", request: approved }), "active"],
  ["successEdited", call({ state: "success", request: edited }), "active"],
  ["rejected", call({ state: "error", request: rejected }), "active"],
  ["expired", call({ state: "error", request: aRequest({ status: "expired" }) }), "active"],
  ["error", call({ state: "error" }), "active"],
  ["stopped", call({ state: "stopped" }), "active"],
] as const)("a call is %s", (state, entry, status) => {
  expect(callState(entry, status)).toBe(state);
});
