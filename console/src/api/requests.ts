/** What operators do with requests, beside deciding one. */
import { http, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import type { Request } from "@/api/types";

type Schemas = components["schemas"];

export type Similar = Schemas["Similar"];
export type PastAnswer = Schemas["PastAnswer"];
export type Passage = Schemas["Passage"];
export type Served = Schemas["Served"];
export type Settlement = Schemas["SettlementAnswer"]["settlement"];
export type Answer = Schemas["Respond"];

const at = (requestId: string) => ({ path: { request_id: requestId } });

export const PAGE = 200;

export function fetchOpen(cursor: string): Promise<{ items: Request[]; next_cursor: string | null }> {
  return unwrap(http.GET("/api/v1/requests", { params: { query: { limit: PAGE, cursor } } }));
}

/** Keeps a request for oneself for a while; again to keep it longer. */
export function claimRequest(requestId: string): Promise<Request> {
  return unwrap(http.POST("/api/v1/requests/{request_id}/claim", { params: at(requestId) }));
}

export function releaseRequest(requestId: string): Promise<Request> {
  return unwrap(http.POST("/api/v1/requests/{request_id}/release", { params: at(requestId) }));
}

/** Says what became of a call whose outcome a crash has hidden. The answer is the settled question. */
export function settleRequest(
  requestId: string,
  settlement: Settlement,
  result: string,
  key: string,
): Promise<Request> {
  return unwrap(
    http.POST("/api/v1/requests/{request_id}/settle", {
      params: { ...at(requestId), header: { "idempotency-key": key } },
      body: { settlement, result },
    }),
  );
}

export function fetchSimilar(requestId: string): Promise<Similar> {
  return unwrap(http.GET("/api/v1/requests/{request_id}/similar", { params: at(requestId) }));
}

/** Answers a question and those of `requestIds` that ask the same. */
export async function answerAll(requestId: string, decision: Answer, requestIds: readonly string[]): Promise<Served[]> {
  const answer = await unwrap(
    http.POST("/api/v1/requests/{request_id}/decision-for-all", {
      params: at(requestId),
      body: { decision, request_ids: [...requestIds] },
    }),
  );
  return answer.items;
}
