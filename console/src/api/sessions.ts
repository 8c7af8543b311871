/** What operators and the chat page do with whole conversations. */
import { http, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import type { Session, SessionStatus } from "@/api/types";

type Schemas = components["schemas"];

export type SessionPage = Schemas["SessionPage"];
export type ChatFrame = Schemas["ChatAnswer"]["messages"][number];

export interface SessionFilter {
  status?: SessionStatus;
  agent?: string;
  customer?: string;
  taken_by?: string;
}

const at = (sessionId: string) => ({ params: { path: { session_id: sessionId } } });

export function listSessions(filter: SessionFilter, cursor: string | null): Promise<SessionPage> {
  return unwrap(http.GET("/api/v1/sessions", { params: { query: { ...filter, ...(cursor ? { cursor } : {}) } } }));
}

/** Says what a session waits for, and until when. `after` is the number of the last event that was read. */
export async function fetchStanding(sessionId: string, after: number, signal: AbortSignal): Promise<ChatFrame[]> {
  const answer = await unwrap(
    http.GET("/api/v1/sessions/{session_id}/chat", {
      params: { path: { session_id: sessionId }, header: { "last-event-id": String(after) } },
      headers: { Accept: "application/json" },
      signal,
    }),
  );
  return (answer as Schemas["ChatAnswer"]).messages;
}

export function stopSession(sessionId: string): Promise<{ stopped: boolean }> {
  return unwrap(http.POST("/api/v1/sessions/{session_id}/stop", at(sessionId)));
}

export function takeOver(sessionId: string): Promise<Session> {
  return unwrap(http.POST("/api/v1/sessions/{session_id}/takeover", at(sessionId)));
}

export function handBack(sessionId: string): Promise<Session> {
  return unwrap(http.POST("/api/v1/sessions/{session_id}/handback", at(sessionId)));
}

export function say(sessionId: string, text: string): Promise<{ message_id: string }> {
  return unwrap(http.POST("/api/v1/sessions/{session_id}/say", { ...at(sessionId), body: { text } }));
}
