/** The knowledge base. A service without one does not list these routes in its document, so they are typed here. */
import { http, unwrap } from "@/api/client";
import type { Actor } from "@/api/types";

export type EntryStatus = "draft" | "published" | "retired";

export interface Entry {
  id: string;
  question: string;
  wordings: string[];
  answer: string;
  tags: string[];
  status: EntryStatus;
  created_by: Actor;
  request_id: string | null;
  similar_to: string | null;
  merged_into: string | null;
  uses: number;
  version: number;
  updated_at: string;
}

interface EntryPage {
  items: Entry[];
  next_cursor: number | null;
}

type Untyped = (path: string, init: object) => ReturnType<typeof http.GET<"/api/v1/info", object>>;

const call = <Data>(method: "GET" | "POST" | "PATCH", path: string, init: object = {}): Promise<Data> =>
  unwrap((http[method] as unknown as Untyped)(`/api/v1/knowledge${path}`, init)) as Promise<unknown> as Promise<Data>;
const at = (entry: Entry, move = "") => `/${encodeURIComponent(entry.id)}${move}`;

export function listEntries(status: EntryStatus, cursor: string | null): Promise<EntryPage> {
  return call("GET", "", { params: { query: { status, ...(cursor ? { cursor } : {}) } } });
}

/** Searches as an agent does, drafts too, the best first. */
export async function searchEntries(q: string): Promise<EntryPage> {
  const query = { q, limit: 50, drafts: true };
  const { items } = await call<{ items: { entry: Entry }[] }>("GET", "/search", { params: { query } });
  return { items: items.map(({ entry }) => entry), next_cursor: null };
}

export function fetchSimilarEntries(entry: Entry): Promise<Entry[]> {
  return call("GET", at(entry, "/similar"));
}

export type Wording = Pick<Entry, "question" | "answer">;

/** `evenIfSimilar` keeps it beside an entry that asks the same. */
export function draftEntry(wording: Wording, evenIfSimilar: boolean): Promise<Entry> {
  return call("POST", "", { body: { ...wording, even_if_similar: evenIfSimilar } });
}

export function editEntry(entry: Entry, changes: Wording): Promise<Entry> {
  return call("PATCH", at(entry), { body: { version: entry.version, ...changes } });
}

/** `evenIfSimilar` publishes beside an entry that asks the same. */
export function publishEntry(entry: Entry, evenIfSimilar: boolean): Promise<Entry> {
  return call("POST", at(entry, "/publish"), { body: { version: entry.version, even_if_similar: evenIfSimilar } });
}

export function retireEntry(entry: Entry): Promise<Entry> {
  return call("POST", at(entry, "/retire"), { body: { version: entry.version } });
}

/** Retires an entry in favour of another, which takes over its wordings and, if asked, its answer. */
export function mergeEntry(entry: Entry, into: Entry, takeAnswer: boolean): Promise<Entry> {
  return call("POST", at(entry, "/merge"), {
    body: { version: entry.version, into: into.id, take_answer: takeAnswer },
  });
}
