import { describe, expect, test } from "vitest";
import type { Request } from "@/api/types";
import { countOf, EMPTY_INBOX, foldInbox, type InboxFrame } from "@/features/inbox/live/inbox";
import { aRequest, aRequestEvent, approvedBy, aSnapshot } from "@/testing/examples";

const fold = (...frames: InboxFrame[]) => foldInbox(EMPTY_INBOX, frames);
/** Whether frames come together or one by one must make no difference. */
const ids = (...frames: InboxFrame[]) => {
  const oneByOne = frames.reduce((inbox, frame) => foldInbox(inbox, [frame]), EMPTY_INBOX);
  const together = fold(...frames).order.map(({ request }) => request.id);
  expect(oneByOne.order.map(({ request }) => request.id)).toEqual(together);
  return together;
};
const page = (after: string, requests: Request[], next: string | null = null): InboxFrame => ({
  type: "page",
  after,
  requests,
  next,
});

const one = aRequest({ id: "req_1" });
const two = aRequest({ id: "req_2", created_at: "2026-03-01T10:01:00Z" });
const three = aRequest({ id: "req_3", created_at: "2026-03-01T10:02:00Z" });
const snapshot = aSnapshot(10, [one]);

describe("the inbox", () => {
  test("knows nothing before the first snapshot", () => {
    expect(fold().loaded).toBe(false);
    expect(fold(snapshot).loaded).toBe(true);
  });

  test("adds what is opened and removes what is settled, however it was", () => {
    expect(ids(snapshot, aRequestEvent(11, "request.opened", two))).toEqual(["req_1", "req_2"]);
    for (const name of ["request.decided", "request.expired", "request.withdrawn"] as const) {
      expect(ids(snapshot, aRequestEvent(11, name, approvedBy("ada", one)))).toEqual([]);
    }
  });

  test("ignores events that the snapshot already contains, and events that come twice", () => {
    expect(ids(snapshot, aRequestEvent(10, "request.opened", two))).toEqual(["req_1"]);
    const opened = aRequestEvent(11, "request.opened", two);
    expect(ids(snapshot, opened, opened)).toEqual(["req_1", "req_2"]);
  });

  test("is replaced by the snapshot that follows a reconnection", () => {
    const after = aSnapshot(20, [two]);
    expect(ids(snapshot, aRequestEvent(11, "request.opened", two), after)).toEqual(["req_2"]);
    expect(fold(snapshot, after).seq).toBe(20);
  });

  test("shows who holds a request", () => {
    const held = { ...one, claimed_by: "ada", version: 2 };
    const inbox = fold(snapshot, aRequestEvent(11, "request.claimed", held));
    expect(inbox.open.get("req_1")?.request.claimed_by).toBe("ada");
    expect(inbox.order[0]?.request.claimed_by).toBe("ada");
  });

  test("removes a request at once when this page decided it, and keeps how it ended", () => {
    const decided = approvedBy("ada", one);
    const inbox = fold(snapshot, { type: "decided", request: decided }, aRequestEvent(11, "request.decided", decided));
    expect(inbox.open.size).toBe(0);
    expect(inbox.settled.get("req_1")?.request.decided_by?.id).toBe("ada");
    expect(inbox.settlements).toBe(1);
  });

  test("never brings a settled request back by an older event, page or snapshot", () => {
    const decided: InboxFrame = { type: "decided", request: approvedBy("ada", one) };
    expect(ids(snapshot, decided, aRequestEvent(11, "request.claimed", one))).toEqual([]);
    expect(ids(snapshot, decided, snapshot)).toEqual([]);
    expect(ids(aSnapshot(10, [two], "c1"), decided, page("c1", [one]))).toEqual(["req_2"]);
  });
});

describe("the rest of a long inbox", () => {
  const first = aSnapshot(10, [one], "c1", 3);

  test("comes page by page, and the count says from the start how many there are", () => {
    expect(countOf(fold(first))).toBe(3);
    expect(ids(first, page("c1", [two], "c2"), page("c2", [three]))).toEqual(["req_1", "req_2", "req_3"]);
    expect(fold(first, page("c1", [two], "c2")).next).toBe("c2");
    expect(countOf(fold(first, page("c1", [two, three])))).toBe(3);
  });

  test("is counted truly while things happen", () => {
    const opened = aRequestEvent(11, "request.opened", aRequest({ id: "req_9" }));
    expect(countOf(fold(first, opened))).toBe(4);
    expect(countOf(fold(first, aRequestEvent(11, "request.decided", approvedBy("bob", three))))).toBe(2);
  });

  test("does not undo what an event has told since the page was read", () => {
    const held = { ...two, claimed_by: "bob", version: 2 };
    const inbox = fold(first, aRequestEvent(11, "request.claimed", held), page("c1", [two, three]));
    expect(inbox.open.get("req_2")?.request.claimed_by).toBe("bob");
  });

  test("keeps what was known until a newer snapshot has come that far", () => {
    const again = aSnapshot(50, [one], "c9", 2);
    expect(ids(first, page("c1", [two, three]), again)).toEqual(["req_1", "req_2", "req_3"]);
    expect(ids(first, page("c1", [two, three]), again, page("c9", [three]))).toEqual(["req_1", "req_3"]);
  });

  test("ignores a page of an older snapshot", () => {
    expect(ids(first, aSnapshot(50, [one], "c9"), page("c1", [two]))).toEqual(["req_1"]);
  });

  test("costs little for each event with 10,000 open", () => {
    const many = Array.from({ length: 10_000 }, (_, number) => aRequest({ id: `req_${String(number)}` }));
    const burst = many
      .slice(0, 500)
      .map((each, at) => aRequestEvent(11 + at, "request.decided", approvedBy("bob", each)));
    const full = fold(aSnapshot(10, many));
    expect(foldInbox(full, burst).order).toHaveLength(9_500);
    // What did not change is not made anew: rows of the list need not be drawn again.
    expect(foldInbox(full, burst).order[0]).toBe(full.open.get(foldInbox(full, burst).order[0]?.request.id ?? ""));
  });
});

describe("the order of the list", () => {
  const order = (...requests: Request[]) => ids(aSnapshot(1, requests));

  test("puts urgent before normal before low", () => {
    const of = (urgency: "low" | "medium" | "high") => aRequest({ id: urgency, urgency });
    expect(order(of("low"), of("high"), of("medium"))).toEqual(["high", "medium", "low"]);
  });

  test("puts the nearest deadline first, and those without one last", () => {
    const none = aRequest({ id: "none" });
    const late = aRequest({ id: "late", deadline: "2026-03-02T10:00:00Z" });
    const soon = aRequest({ id: "soon", deadline: "2026-03-01T11:00:00Z" });
    expect(order(none, late, soon)).toEqual(["soon", "late", "none"]);
  });

  test("puts the oldest first among equals", () => {
    expect(order(two, one)).toEqual(["req_1", "req_2"]);
  });
});
