/** The audit trail: who did what, and how far it is sealed. */
import { http, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export type AuditEvent = components["schemas"]["AuditEvent"];
export type SealState = components["schemas"]["SealState"];

/** What to show; a name that is left out means all. Times have their zone. */
export interface AuditFilter {
  actor?: string;
  name?: string;
  tool?: string;
  session_id?: string;
  since?: string;
  until?: string;
}

export function readTrail(
  filter: AuditFilter,
  cursor: string | null,
): Promise<{ items: AuditEvent[]; next_cursor?: string | null }> {
  return unwrap(http.GET("/api/v1/audit", { params: { query: { ...filter, ...(cursor ? { cursor } : {}) } } }));
}

export function readSeal(): Promise<SealState> {
  return unwrap(http.GET("/api/v1/audit/seal"));
}

/** Where the same events are to be had as a file. */
export function exportUrl(filter: AuditFilter): string {
  const query = new URLSearchParams(Object.entries(filter) as [string, string][]).toString();
  return `/api/v1/audit/export${query ? `?${query}` : ""}`;
}
