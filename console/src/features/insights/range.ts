/** The range that the page is about: dates of a zone, in the address. */
import type { RangeQuery } from "@/api/insights";

export const LENGTHS = [1, 7, 30, 90, 365] as const;
const DEFAULT_DAYS = 7;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export interface ChosenRange {
  /** The first and the last day, both included. */
  first: string;
  last: string;
  zone: string;
  /** How many days, when the range ends today. */
  days: number | null;
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

export function rangeOf(search: URLSearchParams, now: number): ChosenRange {
  const zone = knownZone(search.get("zone")) ?? ownZone();
  const today = dateIn(zone, now);
  const first = search.get("from") ?? "";
  const last = search.get("to") ?? "";
  if (DATE.test(first) && DATE.test(last) && first <= last) return { first, last, zone, days: null };
  const days = LENGTHS.find((length) => String(length) === search.get("days")) ?? DEFAULT_DAYS;
  return { first: addDays(today, 1 - days), last: today, zone, days };
}

/** The service's ranges end before their last moment. */
export function queryOf({ first, last, zone }: ChosenRange): RangeQuery {
  return { from: first, to: addDays(last, 1), zone };
}

export function stepOf({ first, last }: ChosenRange): "hour" | "day" {
  return addDays(first, 1) >= last ? "hour" : "day";
}

export function zones(chosen: string): string[] {
  return [...new Set([chosen, ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

function knownZone(name: string | null): string | null {
  if (!name) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}

function dateIn(zone: string, at: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(at);
}

function addDays(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
