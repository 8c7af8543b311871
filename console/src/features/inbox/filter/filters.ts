/** Which requests the list shows. The filter lives in the address, so that a reload or a link shows the same. */
import { REQUEST_KINDS } from "@/api/requestKinds";
import type { Request, RequestKind } from "@/api/types";
import type { Listed } from "@/features/inbox/live/listed";
import { holderOf } from "@/features/inbox/live/presence";

/** Every filter, by its name in the address; `q` is the search. */
export const FILTERS = ["q", "who", "kind", "urgency", "type", "tool", "agent", "audience"] as const;

export type FilterName = (typeof FILTERS)[number];
export type Filter = Readonly<Partial<Record<FilterName, string>>>;

/** What a filter with a fixed set of values may be; the others take any text. */
export const VALUES = {
  who: ["mine", "free"],
  kind: REQUEST_KINDS,
  urgency: ["high", "medium", "low"],
  type: ["risk_confirmation", "decision_required", "information_query", "knowledge_gap"],
  audience: ["operator", "customer"],
} as const satisfies Partial<Record<FilterName, readonly string[]>>;

export function readFilter(params: URLSearchParams): Filter {
  const filter: Partial<Record<FilterName, string>> = {};
  for (const name of FILTERS) {
    const value = params.get(name)?.trim();
    const known: readonly string[] | undefined = name in VALUES ? VALUES[name as keyof typeof VALUES] : undefined;
    // An address may be typed or old: a value that means nothing filters nothing.
    if (value && (!known || known.includes(value))) filter[name] = value;
  }
  return filter;
}

export const isFiltering = (filter: Filter): boolean => Object.keys(filter).length > 0;

/** Returns what the filter lets through, in the order it came. */
export function filtered(order: readonly Listed[], filter: Filter, me: string, now: number): readonly Listed[] {
  if (!isFiltering(filter)) return order;
  const words = wordsOf(filter.q ?? "");
  return order.filter((listed) => passes(listed, filter, words, me, now));
}

const ASKS_FOR: Record<RequestKind, NonNullable<Request["question_type"]>> = {
  approval: "risk_confirmation",
  question: "information_query",
  settlement: "risk_confirmation",
};

/** What a request asks for when it does not say, as the service's own list has it. */
export function questionTypeOf(request: Request): NonNullable<Request["question_type"]> {
  return request.question_type ?? ASKS_FOR[request.kind];
}

function passes(listed: Listed, filter: Filter, words: string[], me: string, now: number): boolean {
  const { request } = listed;
  return (
    (!filter.kind || request.kind === filter.kind) &&
    (!filter.urgency || request.urgency === filter.urgency) &&
    (!filter.type || questionTypeOf(request) === filter.type) &&
    (!filter.tool || request.tool === filter.tool) &&
    (!filter.agent || request.agent === filter.agent) &&
    (!filter.audience || request.audience === filter.audience) &&
    (!filter.who || holderOf(request, now) === (filter.who === "mine" ? me : null)) &&
    words.every((word) => textOf(listed).includes(word))
  );
}

const wordsOf = (search: string) => search.toLowerCase().split(/\s+/).filter(Boolean);

/** What the search looks through: worked out when somebody first searches, then kept as long as the request is. */
const texts = new WeakMap<Listed, string>();

function textOf(listed: Listed): string {
  const known = texts.get(listed);
  if (known !== undefined) return known;
  const { id, session_id, tool, question, description, agent, customer, args, context } = listed.request;
  const parts = [tool, question, description, agent, customer, id, session_id, ...valuesIn(args), ...valuesIn(context)];
  const text = parts.join("\n").toLowerCase();
  texts.set(listed, text);
  return text;
}

function valuesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => [name, ...valuesIn(inner)]);
  }
  return [String(value)];
}
