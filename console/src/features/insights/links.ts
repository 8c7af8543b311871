/** From a figure to the requests that it counts. */
import type { RequestQuery } from "@/api/insights";

export interface Span {
  from: string;
  to: string;
}

type Counted = Omit<RequestQuery, "cursor" | "limit">;

/** The list of the requests that were opened in a span of time, and are as `more` says. */
export function requestsIn(span: Span, more: Counted = {}): string {
  return listPath({ status: "all", created_from: span.from, created_to: span.to, ...more });
}

/** The first request of each session that began in a span of time. */
export function assistedIn(span: Span): string {
  return listPath({ status: "all", session_from: span.from, session_to: span.to, first: true });
}

export const OPEN_NOW = listPath({ status: "open", audience: "operator" });

function listPath(query: Counted): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/console/requests?${search.toString()}`;
}
