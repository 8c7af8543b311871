/** Which requests are marked to be decided together. Pure: the page keeps the state. */
import { isInWords } from "@/api/requestKinds";
import type { Request } from "@/api/types";
import type { Listed } from "@/features/inbox/live/listed";

export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** The last one that was marked by itself: a range goes from there. */
  readonly from: string | null;
}

export type MarkAction =
  | { type: "toggle"; id: string }
  | { type: "range"; to: string; order: readonly Listed[] }
  | { type: "alike"; request: Request; order: readonly Listed[] }
  | { type: "only"; ids: Iterable<string> }
  | { type: "clear" };

/** Nobody checks more than this at once, and the service takes no more. */
export const MOST_AT_ONCE = 200;

export const NO_MARKS: Marks = { ids: new Set(), from: null };

export function foldMarks(marks: Marks, action: MarkAction): Marks {
  switch (action.type) {
    case "toggle": {
      const ids = new Set(marks.ids);
      if (!ids.delete(action.id)) ids.add(action.id);
      return { ids: few(ids), from: action.id };
    }
    case "range": {
      const places = [marks.from, action.to].map((id) => action.order.findIndex(({ request }) => request.id === id));
      const [start = -1, end = -1] = places.sort((a, b) => a - b);
      if (start < 0) return foldMarks(marks, { type: "toggle", id: action.to });
      const between = action.order.slice(start, end + 1).map(({ request }) => request.id);
      return { ids: few([...marks.ids, ...between]), from: action.to };
    }
    case "alike": {
      const key = alikeKey(action.request);
      const alike = action.order.filter(({ request }) => alikeKey(request) === key).map(({ request }) => request.id);
      return { ids: few([action.request.id, ...alike]), from: action.request.id };
    }
    case "only":
      return { ...marks, ids: few(action.ids) };
    case "clear":
      return NO_MARKS;
  }
}

/** The marked requests that are still open, in the order of the list. */
export function markedIn(order: readonly Listed[], marks: Marks): Request[] {
  if (marks.ids.size === 0) return [];
  return order.filter(({ request }) => marks.ids.has(request.id)).map(({ request }) => request);
}

/**
 * What is equal for requests that may be decided alike: the tool; for a question, everything it asks and tells.
 *
 * The service compares questions a little more loosely; what is equal here is equal there.
 */
export function alikeKey(request: Request): string {
  if (!isInWords(request)) return JSON.stringify([request.kind, request.tool, request.allowed]);
  const { user_question: customersWords, ...told } = request.context;
  const isGap = request.question_type === "knowledge_gap";
  const options = request.options.map(({ id, label }) => (isGap ? id : [id, label]));
  const subject = isGap && typeof customersWords === "string" && customersWords ? customersWords : request.question;
  return JSON.stringify([request.kind, request.question_type, subject, options, isGap ? {} : told]);
}

const few = (ids: Iterable<string>): ReadonlySet<string> => new Set([...new Set(ids)].slice(0, MOST_AT_ONCE));
