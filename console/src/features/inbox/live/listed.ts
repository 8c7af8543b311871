/** An open request as the list keeps it: with its place in the order worked out once, not at every comparison. */
import type { Request } from "@/api/types";

export interface Listed {
  readonly request: Request;
  readonly rank: number;
  readonly due: number;
  readonly created: number;
  /** Which snapshot last confirmed it; see `inbox.ts`. */
  readonly generation: number;
}

const RANK: Record<Request["urgency"], number> = { high: 0, medium: 1, low: 2 };

export function toListed(request: Request, generation = 0): Listed {
  return {
    request,
    rank: RANK[request.urgency],
    due: request.deadline ? Date.parse(request.deadline) : Number.POSITIVE_INFINITY,
    created: Date.parse(request.created_at),
    generation,
  };
}

/** The order of the list: urgency, then the nearest deadline, then the oldest; ids keep equals in place. */
export function byPriority(a: Listed, b: Listed): number {
  return (
    a.rank - b.rank ||
    compare(a.due, b.due) ||
    a.created - b.created ||
    (a.request.id === b.request.id ? 0 : a.request.id < b.request.id ? -1 : 1)
  );
}

/** Where `wanted` is in a sorted list, or where it would be. */
export function placeOf(order: readonly Listed[], wanted: Listed): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = order[middle];
    if (there && byPriority(there, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Infinity - Infinity is not a number, so subtraction will not do.
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
