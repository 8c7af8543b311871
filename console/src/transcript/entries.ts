/** What a transcript is made of, in the order it happened. */
import type { Fact } from "@/api/events";
import type { Args, Request } from "@/api/types";

export interface MessageEntry {
  kind: "message";
  id: string;
  from: "customer" | "agent" | "operator" | "service";
  purpose: Extract<Fact, { name: "message.sent" }>["purpose"];
  text: string;
  /** `live` while pieces arrive, `torn` when the connection broke meanwhile and pieces may be missing. */
  state: "live" | "torn" | "stored";
  at: string | null;
}

export interface ToolEntry {
  kind: "tool";
  id: string;
  tool: string;
  args: Args;
  state: "open" | "success" | "error" | "stopped";
  /** True once the session has waited with this call open: it goes on only when somebody said so. */
  asked: boolean;
  /** Known to operators, and to the customer who is the one to confirm. */
  request: Request | null;
  content: string;
  at: string;
}

export interface FailureEntry {
  kind: "failure";
  id: string;
  error: string;
  at: string;
}

/** The conversation changed hands, or was stopped. */
export interface DividerEntry {
  kind: "divider";
  id: string;
  what: "handoff" | "taken" | "returned" | "stopped";
  /** Who has the conversation from here on: an agent's or an operator's name. */
  who: string;
  at: string;
}

export type Entry = MessageEntry | ToolEntry | FailureEntry | DividerEntry;

/** Replaces the entry in its place, or adds it at the end. */
export function put(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const isSame = (other: Entry) => other.kind === entry.kind && other.id === entry.id;
  return entries.some(isSame) ? entries.map((other) => (isSame(other) ? entry : other)) : [...entries, entry];
}

/** Changes every tool call that has no result yet. */
export function changeOpenCalls(entries: readonly Entry[], changes: Partial<ToolEntry>): readonly Entry[] {
  return entries.map((entry) => (entry.kind === "tool" && entry.state === "open" ? { ...entry, ...changes } : entry));
}

export function findCall(entries: readonly Entry[], toolCallId: string): ToolEntry | undefined {
  return entries.find((entry): entry is ToolEntry => entry.kind === "tool" && entry.id === toolCallId);
}
