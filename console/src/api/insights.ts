/** Figures, and the requests that they count. */
import { http, unwrap } from "@/api/client";
import type { components, paths } from "@/api/schema";

type Schemas = components["schemas"];

export type Report = Schemas["Report"];
export type Figures = Schemas["Figures"];
export type Waiting = Schemas["Waiting"];
export type Group = Schemas["Group"];
export type QuestionType = keyof Report["types"] & string;
export type By = Report["by"];
export type RequestPage = Schemas["RequestPage"];
export type RequestQuery = NonNullable<paths["/api/v1/requests"]["get"]["parameters"]["query"]>;

export interface RangeQuery {
  from: string;
  to: string;
  zone: string;
}

export function fetchInsights(range: RangeQuery, by: By): Promise<Report> {
  return unwrap(http.GET("/api/v1/insights", { params: { query: { ...range, by } } }));
}

/** An operator's own numbers. */
export function fetchOwnInsights(range: RangeQuery, by: "hour" | "day"): Promise<Report> {
  return unwrap(http.GET("/api/v1/insights/mine", { params: { query: { ...range, by } } }));
}

export function csvUrl(range: RangeQuery, by: By): string {
  return `/api/v1/insights.csv?${new URLSearchParams({ ...range, by }).toString()}`;
}

export function listRequests(query: RequestQuery, cursor: string | null): Promise<RequestPage> {
  return unwrap(http.GET("/api/v1/requests", { params: { query: { ...query, ...(cursor ? { cursor } : {}) } } }));
}
