/** Examples of the service's nouns, each a complete one that a test varies. */
import type { Event, Fact, LiveFrame, SessionFrame } from "@/api/events";
import type { Request, Session } from "@/api/types";

type EventFrame = Extract<SessionFrame, { type: "event" }>;

export const AT = "2026-03-01T10:00:00Z";

export function aSession(changes: Partial<Session> = {}): Session {
  return {
    id: "ses_1",
    agent: "demo",
    status: "active",
    customer: "",
    language: "en",
    version: 1,
    created_at: AT,
    updated_at: AT,
    ...changes,
  };
}

export function aRequest(changes: Partial<Request> = {}): Request {
  return {
    id: "req_1",
    session_id: "ses_1",
    run_id: "run_1",
    kind: "approval",
    audience: "operator",
    dialect: "langchain",
    interrupt_id: "int_1",
    position: 0,
    tool: "issue_refund",
    tool_call_id: "call_1",
    args: { order_id: "A-1024", amount: 42.5 },
    args_schema: null,
    digest: "",
    description: "",
    allowed: ["approve", "edit", "reject"],
    ruling: null,
    sensitive: [],
    agent: "demo",
    customer: "",
    question: "",
    question_type: null,
    options: [],
    context: {},
    urgency: "medium",
    status: "open",
    version: 1,
    created_at: AT,
    deadline: null,
    on_timeout: "inform",
    claimed_by: null,
    claim_until: null,
    decided_by: null,
    decided_at: null,
    decision: null,
    ...changes,
  };
}

/** The same request, approved by `who`. */
export function approvedBy(who: string, request: Request): Request {
  return {
    ...request,
    status: "decided",
    version: request.version + 1,
    decision: { type: "approve" },
    decided_by: { kind: "operator", id: who, channel: "console" },
    decided_at: "2026-03-01T10:05:00Z",
  };
}

export function aSessionEvent(session_seq: number, fact: Fact, by: Event["actor"]["kind"] = "agent"): EventFrame {
  const event: Event = {
    seq: session_seq,
    session_id: "ses_1",
    session_seq,
    at: AT,
    actor: { kind: by, id: "", channel: "" },
    fact,
  };
  return { type: "event", event };
}

type RequestFact = Exclude<Extract<Fact, { request: Request }>, { settlement: unknown }>;

export function aRequestEvent(seq: number, name: RequestFact["name"], request: Request): EventFrame {
  const event: Event = {
    seq,
    session_id: request.session_id,
    session_seq: seq,
    at: AT,
    actor: { kind: "service", id: "", channel: "" },
    fact: { name, request },
  };
  return { type: "event", event };
}

type SnapshotFrame = Extract<LiveFrame, { type: "snapshot" }>;

/** The inbox with these requests; `next_cursor` and `open` tell of others that it leaves to the list. */
export function aSnapshot(
  seq: number,
  requests: Request[],
  next_cursor: string | null = null,
  open = requests.length,
): SnapshotFrame {
  return { type: "snapshot", seq, at: AT, requests, next_cursor, open };
}
