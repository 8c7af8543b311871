/** Every call the console makes, typed by the generated schema. A refused call throws an ApiError. */
import createClient from "openapi-fetch";
import { ApiError, toProblem, Unreachable } from "@/api/problem";
import type { paths } from "@/api/schema";
import type { Decision, Info, Me, Request, Session } from "@/api/types";

export const http = createClient<paths>({
  baseUrl: window.location.origin,
  // Looked up at each call, so that a test can replace it.
  fetch: (request) => globalThis.fetch(request),
});

export function fetchInfo(): Promise<Info> {
  return unwrap(http.GET("/api/v1/info"));
}

export function fetchMe(): Promise<Me> {
  return unwrap(http.GET("/api/v1/me"));
}

export function createSession(language: string): Promise<Session> {
  return unwrap(http.POST("/api/v1/sessions", { body: { agent: "", language } }));
}

export function fetchSession(sessionId: string): Promise<Session> {
  return unwrap(http.GET("/api/v1/sessions/{session_id}", { params: { path: { session_id: sessionId } } }));
}

/** Sends a message. Sent again under the same id, it is not a second one. */
export function sendMessage(
  sessionId: string,
  text: string,
  messageId: string,
): Promise<{ message_id: string; run_id: string }> {
  return unwrap(
    http.POST("/api/v1/sessions/{session_id}/messages", {
      params: { path: { session_id: sessionId } },
      body: { text, message_id: messageId },
    }),
  );
}

export function fetchRequest(requestId: string): Promise<Request> {
  return unwrap(http.GET("/api/v1/requests/{request_id}", { params: { path: { request_id: requestId } } }));
}

/** Decides. Sent again under the same key, it is not a second decision. */
export function decide(requestId: string, decision: Decision, key?: string): Promise<Request> {
  return unwrap(
    http.POST("/api/v1/requests/{request_id}/decision", {
      params: { path: { request_id: requestId }, header: key === undefined ? {} : { "idempotency-key": key } },
      body: decision,
    }),
  );
}

export function sessionEventsUrl(sessionId: string): string {
  return `/api/v1/sessions/${encodeURIComponent(sessionId)}/events`;
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns what a call answered, or throws why it did not. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  let answer: Answer<Data>;
  try {
    answer = await call;
  } catch (cause) {
    throw new Unreachable("The service does not answer.", { cause });
  }
  if (answer.data === undefined) throw new ApiError(toProblem(answer.error, answer.response));
  return answer.data;
}
