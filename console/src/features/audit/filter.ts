import type { AuditFilter } from "@/api/audit";

export const TEXTS = ["actor", "tool", "session_id"] as const;
export const DAYS = ["since", "until"] as const;

/** The kinds of events that people look for most; the address takes any other name too. */
export const NAMES = [
  "request.decided",
  "request.opened",
  "request.expired",
  "request.withdrawn",
  "tool.called",
  "tool.finished",
  "ticket.answered",
  "session.taken",
  "entry.published",
  "operator.admitted",
  "key.added",
  "key.revoked",
  "trail.exported",
  "session.forgotten",
] as const;

/** What the address asks for. Days are the reader's own: from the morning of the first to the night of the last. */
export function filterOf(search: URLSearchParams): AuditFilter {
  const filter: AuditFilter = {};
  for (const name of ["name", ...TEXTS] as const) {
    const value = search.get(name)?.trim();
    if (value) filter[name] = value;
  }
  const since = dayOf(search.get("since"));
  const until = dayOf(search.get("until"));
  if (since) filter.since = since.toISOString();
  if (until) {
    until.setDate(until.getDate() + 1);
    filter.until = until.toISOString();
  }
  return filter;
}

function dayOf(text: string | null): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00`);
  return Number.isNaN(day.getTime()) ? null : day;
}
