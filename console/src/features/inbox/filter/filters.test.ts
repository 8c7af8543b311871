import { describe, expect, test } from "vitest";
import type { Request } from "@/api/types";
import { type Filter, filtered, readFilter } from "@/features/inbox/filter/filters";
import { toListed } from "@/features/inbox/live/listed";
import { aRequest } from "@/testing/examples";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const shown = (request: Partial<Request>, filter: Filter) =>
  filtered([toListed(aRequest(request))], filter, "ada", NOW).length === 1;

describe("a filter", () => {
  test("is read from the address, and what means nothing there filters nothing", () => {
    expect(readFilter(new URLSearchParams("kind=question&urgency=extreme&q=+A-1024+&page=2"))).toEqual({
      kind: "question",
      q: "A-1024",
    });
  });

  test("without anything set is no work at all", () => {
    const order = [toListed(aRequest())];
    expect(filtered(order, {}, "ada", NOW)).toBe(order);
  });

  test("lets through what has every value", () => {
    const filter: Filter = { kind: "approval", urgency: "medium", tool: "issue_refund", agent: "demo" };
    expect(shown({}, filter)).toBe(true);
    expect(shown({ agent: "other" }, filter)).toBe(false);
    expect(shown({ audience: "customer" }, { audience: "operator" })).toBe(false);
  });

  test("takes a review for a risk to confirm, as the service's list does", () => {
    expect(shown({}, { type: "risk_confirmation" })).toBe(true);
    expect(shown({ kind: "question" }, { type: "information_query" })).toBe(true);
    expect(shown({ kind: "question", question_type: "knowledge_gap" }, { type: "information_query" })).toBe(false);
  });

  test("knows mine from free, and that a claim runs out", () => {
    const held = { claimed_by: "ada", claim_until: "2026-03-01T10:02:00Z" };
    expect(shown(held, { who: "mine" })).toBe(true);
    expect(shown(held, { who: "free" })).toBe(false);
    expect(shown({ ...held, claim_until: "2026-03-01T09:59:00Z" }, { who: "free" })).toBe(true);
    expect(shown({ ...held, claimed_by: "bob" }, { who: "mine" })).toBe(false);
  });
});

describe("the search", () => {
  test.each([
    ["REFUND", "the tool, whatever the case"],
    ["a-1024", "a value of the arguments"],
    ["order_id", "the name of an argument"],
    ["42.5 refund", "every word, in any order"],
    ["deep", "a value inside another"],
    ["张伟", "the customer"],
  ])("finds %j: %s", (q) => {
    expect(shown({ customer: "张伟", context: { note: { inner: ["deep"] } } }, { q })).toBe(true);
  });

  test("does not find what is not there", () => {
    expect(shown({}, { q: "refund A-9999" })).toBe(false);
  });
});
