/** The transcript of one session as a pure fold over its event stream. Reading an event twice changes nothing. */
import type { Event, SessionFrame } from "@/api/events";
import type { Actor, Request, SessionStatus } from "@/api/types";
import { changeOpenCalls, type DividerEntry, type Entry, findCall, type MessageEntry, put } from "@/transcript/entries";

export interface Transcript {
  lastSeq: number;
  status: SessionStatus;
  waitingSince: string | null;
  /** The agent that has the session; it changes with a handoff. */
  agent: string;
  /** The operator who talks in the agent's place, while one does. */
  takenBy: string | null;
  entries: readonly Entry[];
  /** Requests as they are now: all of them for an operator, only the customer's own for the customer. */
  requests: readonly Request[];
  /** Runs that still owe the customer something. */
  unfinishedRuns: readonly string[];
}

export type TranscriptAction = SessionFrame | { type: "lost" };

export const EMPTY_TRANSCRIPT: Transcript = {
  lastSeq: 0,
  status: "active",
  waitingSince: null,
  agent: "",
  takenBy: null,
  entries: [],
  requests: [],
  unfinishedRuns: [],
};

export function foldTranscript(transcript: Transcript, action: TranscriptAction): Transcript {
  switch (action.type) {
    case "lost":
      return { ...transcript, entries: transcript.entries.map(tear) };
    case "delta":
      return { ...transcript, entries: withDelta(transcript.entries, action.message_id, action.text) };
    case "event":
      if (action.event.session_seq <= transcript.lastSeq) return transcript;
      return withFact({ ...transcript, lastSeq: action.event.session_seq }, action.event);
  }
}

function withFact(transcript: Transcript, { fact, actor, at, session_seq }: Event): Transcript {
  const { entries } = transcript;
  const divide = (what: DividerEntry["what"], who: string): readonly Entry[] =>
    put(entries, { kind: "divider", id: String(session_seq), what, who, at });
  switch (fact.name) {
    case "session.created":
      return { ...transcript, status: fact.session.status, agent: fact.session.agent };
    case "session.changed":
      return withStatus(transcript, fact.status, at);
    case "session.taken":
      return { ...transcript, takenBy: fact.operator, entries: divide("taken", fact.operator) };
    case "session.returned":
      return { ...transcript, takenBy: null, entries: divide("returned", fact.operator) };
    case "handoff.made":
      return { ...transcript, agent: fact.target, entries: divide("handoff", fact.target) };
    case "message.received": {
      const message = { kind: "message", id: fact.message_id, from: "customer", purpose: "reply" } as const;
      // While an operator has the session no run answers.
      const runs = fact.run_id ? [...without(transcript.unfinishedRuns, fact.run_id), fact.run_id] : null;
      return {
        ...transcript,
        unfinishedRuns: runs ?? transcript.unfinishedRuns,
        entries: put(entries, { ...message, text: fact.text, state: "stored", at }),
      };
    }
    case "message.sent": {
      const message = { kind: "message", id: fact.message_id, from: writer(actor), purpose: fact.purpose } as const;
      return { ...transcript, entries: put(entries, { ...message, text: fact.text, state: "stored", at }) };
    }
    case "tool.called": {
      const call = { kind: "tool", id: fact.tool_call_id, tool: fact.tool, args: fact.args, state: "open" } as const;
      return { ...transcript, entries: put(entries, { ...call, asked: false, request: null, content: "", at }) };
    }
    case "tool.finished": {
      const { tool_call_id: id, tool, status: state, content } = fact;
      const known = findCall(entries, id) ?? { args: {}, asked: false, request: null, at };
      return { ...transcript, entries: put(entries, { ...known, kind: "tool", id, tool, state, content }) };
    }
    case "request.opened":
    case "request.claimed":
    case "request.released":
    case "request.decided":
    case "request.expired":
    case "request.withdrawn":
    case "request.reminded":
    case "request.doubted":
    case "request.settled":
      return withRequest(transcript, fact.request);
    case "run.stopped":
      return withoutRun({ ...transcript, entries: changeOpenCalls(divide("stopped", ""), { state: "stopped" }) }, fact);
    case "run.failed":
      if (!fact.final) return transcript;
      return withoutRun(
        {
          ...transcript,
          entries: put(changeOpenCalls(entries, { state: "stopped" }), {
            kind: "failure",
            id: fact.run_id,
            error: fact.error,
            at,
          }),
        },
        fact,
      );
    case "run.finished":
      return withoutRun(transcript, fact);
    // Not part of the conversation: tickets and the knowledge base are the operators' business, and the installation is
    // nobody's in here.
    case "ticket.opened":
    case "ticket.answered":
    case "entry.drafted":
    case "entry.published":
    case "entry.edited":
    case "entry.merged":
    case "entry.retired":
    case "entry.used":
    case "operator.added":
    case "operator.removed":
    case "operator.admitted":
    case "operator.departed":
    case "link.issued":
    case "key.added":
    case "key.revoked":
    case "trail.exported":
    case "session.forgotten":
    case "content.forgotten":
      return transcript;
    default:
      // A newer service may tell more than this page knows.
      fact satisfies never;
      return transcript;
  }
}

function withStatus(transcript: Transcript, status: SessionStatus, at: string): Transcript {
  const waiting = status === "waiting_for_human";
  return {
    ...transcript,
    status,
    waitingSince: waiting ? (transcript.waitingSince ?? at) : null,
    entries: waiting ? changeOpenCalls(transcript.entries, { asked: true }) : transcript.entries,
    unfinishedRuns: status === "completed" || status === "error" ? [] : transcript.unfinishedRuns,
  };
}

function withRequest(transcript: Transcript, request: Request): Transcript {
  const known = transcript.requests.some(({ id }) => id === request.id);
  const call = request.tool_call_id ? findCall(transcript.entries, request.tool_call_id) : undefined;
  return {
    ...transcript,
    requests: known
      ? transcript.requests.map((other) => (other.id === request.id ? request : other))
      : [...transcript.requests, request],
    entries: call ? put(transcript.entries, { ...call, request }) : transcript.entries,
  };
}

function withDelta(entries: readonly Entry[], id: string, text: string): readonly Entry[] {
  const known = entries.find((entry): entry is MessageEntry => entry.kind === "message" && entry.id === id);
  if (known) return known.state === "live" ? put(entries, { ...known, text: known.text + text }) : entries;
  return [...entries, { kind: "message", id, from: "agent", purpose: "reply", text, state: "live", at: null }];
}

function tear(entry: Entry): Entry {
  return entry.kind === "message" && entry.state === "live" ? { ...entry, state: "torn" } : entry;
}

function writer({ kind }: Actor): MessageEntry["from"] {
  return kind === "operator" || kind === "service" ? kind : "agent";
}

function withoutRun(transcript: Transcript, { run_id }: { run_id: string }): Transcript {
  return { ...transcript, unfinishedRuns: without(transcript.unfinishedRuns, run_id) };
}

function without(runs: readonly string[], run: string): string[] {
  return runs.filter((other) => other !== run);
}
