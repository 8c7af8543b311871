/**
 * The inbox as a pure fold: (snapshot, pages, events) -> the requests an operator may decide.
 *
 * A snapshot carries the most pressing ones; pages of the list bring the rest. Frames are folded many at a time, so that
 * a burst of events with 10,000 open requests costs one copy, not one for each.
 */
import type { Fact, LiveFrame } from "@/api/events";
import type { Request } from "@/api/types";
import { byPriority, type Listed, toListed } from "@/features/inbox/live/listed";

export interface Inbox {
  /** False until the first snapshot: nothing is known yet, which is not the same as nothing is open. */
  readonly loaded: boolean;
  readonly seq: number;
  readonly open: ReadonlyMap<string, Listed>;
  /** The same, sorted. */
  readonly order: readonly Listed[];
  /** What was settled while we watched, newest last, so that an open detail and the list can say how it ended. */
  readonly settled: ReadonlyMap<string, Settled>;
  /** Counts the settled, so that each has a number. */
  readonly settlements: number;
  /** Where the list goes on with what is not here yet; null when everything is. */
  readonly next: string | null;
  /** How many were open when the snapshot was taken, less or more what happened since; exact once all are here. */
  readonly counted: number;
  /** Rises with each snapshot: whatever an older one knew and a newer one does not confirm is gone. */
  readonly generation: number;
  /** How far the service's clock is ahead of ours. */
  readonly skew: number;
}

export interface Settled {
  readonly request: Request;
  readonly number: number;
}

/** A page of the list, which goes on after cursor `after`. */
export interface PageFrame {
  type: "page";
  after: string;
  requests: readonly Request[];
  next: string | null;
}

/** A decision that this page made or learned of, told before its event arrives. */
export interface OwnDecision {
  type: "decided";
  request: Request;
}

export type InboxFrame = LiveFrame | PageFrame | OwnDecision;

export const EMPTY_INBOX: Inbox = {
  loaded: false,
  seq: 0,
  open: new Map(),
  order: [],
  settled: new Map(),
  settlements: 0,
  next: null,
  counted: 0,
  generation: 0,
  skew: 0,
};

const SETTLED_KEPT = 500;

export function foldInbox(inbox: Inbox, frames: readonly InboxFrame[]): Inbox {
  const draft = new Draft(inbox);
  for (const frame of frames) draft.take(frame);
  return draft.finished();
}

/** How many are open, as far as is known. */
export function countOf(inbox: Inbox): number {
  return inbox.next === null ? inbox.open.size : Math.max(inbox.open.size, inbox.counted);
}

/** A fold under way: maps are copied when they first change, and the order is mended once, at the end. */
class Draft {
  private now: Inbox;
  private open: Map<string, Listed> | null = null;
  private settled: Map<string, Settled> | null = null;

  constructor(private readonly before: Inbox) {
    this.now = before;
  }

  take(frame: InboxFrame): void {
    switch (frame.type) {
      case "snapshot":
        this.change({
          loaded: true,
          seq: frame.seq,
          next: frame.next_cursor,
          counted: frame.open,
          generation: this.now.generation + 1,
          skew: Date.parse(frame.at) - Date.now(),
        });
        this.confirm(frame.requests);
        break;
      case "page":
        // A page that was asked for before a newer snapshot says nothing any more.
        if (frame.after !== this.now.next) break;
        this.change({ next: frame.next });
        this.confirm(frame.requests);
        break;
      case "event":
        if (frame.event.seq <= this.now.seq) break;
        this.change({ seq: frame.event.seq });
        this.learn(frame.event.fact);
        break;
      case "decided":
        this.settle(frame.request);
        break;
      case "heartbeat":
        break;
    }
  }

  finished(): Inbox {
    if (!this.open && !this.settled) return this.now;
    const open = this.open;
    return {
      ...this.now,
      ...(open && { open, order: this.mended(open) }),
      ...(this.settled && { settled: this.settled }),
    };
  }

  private change(changes: Partial<Inbox>): void {
    this.now = { ...this.now, ...changes };
  }

  private learn(fact: Fact): void {
    switch (fact.name) {
      case "request.opened":
      case "request.claimed":
      case "request.released":
      case "request.reminded":
        if (this.put(fact.request)) this.change({ counted: this.now.counted + 1 });
        break;
      case "request.decided":
      case "request.expired":
      case "request.withdrawn":
        this.settle(fact.request);
        break;
      // Neither changes what is open: an effect in doubt is asked about by a request of its own.
      case "request.doubted":
      case "request.settled":
        break;
      default:
        // The rest is about no request; a fact that carries one must be placed above.
        fact satisfies Exclude<Fact, { request: Request }>;
    }
  }

  /** Takes over a stretch of the list, and lets go of what was known there and is gone. */
  private confirm(requests: readonly Request[]): void {
    for (const request of requests) this.put(request);
    const last = requests.at(-1);
    const end = this.now.next !== null && last ? toListed(last) : null;
    for (const [id, listed] of this.openNow()) {
      const stale = listed.generation < this.now.generation;
      if (stale && (end === null || byPriority(listed, end) <= 0)) this.ownOpen().delete(id);
    }
  }

  /** Returns whether the request is one that was not known. */
  private put(request: Request): boolean {
    // Settled is final: an older event or page must not bring the request back.
    if (this.settledNow().has(request.id)) return false;
    const known = this.openNow().get(request.id);
    const newest = known && known.request.version > request.version ? known.request : request;
    this.ownOpen().set(request.id, toListed(newest, this.now.generation));
    return !known;
  }

  private settle(request: Request): void {
    const known = this.settledNow().get(request.id);
    const number = known?.number ?? this.now.settlements + 1;
    this.settled ??= new Map(this.before.settled);
    this.settled.set(request.id, { request, number });
    const oldest = this.settled.keys().next();
    if (this.settled.size > SETTLED_KEPT && !oldest.done) this.settled.delete(oldest.value);
    if (!known) this.change({ settlements: number, counted: this.now.counted - 1 });
    if (this.openNow().has(request.id)) this.ownOpen().delete(request.id);
  }

  private openNow(): ReadonlyMap<string, Listed> {
    return this.open ?? this.before.open;
  }

  private settledNow(): ReadonlyMap<string, Settled> {
    return this.settled ?? this.before.settled;
  }

  private ownOpen(): Map<string, Listed> {
    return (this.open ??= new Map(this.before.open));
  }

  private mended(open: ReadonlyMap<string, Listed>): Listed[] {
    const order: Listed[] = [];
    for (const { request } of this.before.order) {
      const kept = open.get(request.id);
      if (kept) order.push(kept);
    }
    for (const [id, listed] of open) if (!this.before.open.has(id)) order.push(listed);
    // Two sorted stretches, nearly: the engine's merge sort needs one pass.
    return order.sort(byPriority);
  }
}
