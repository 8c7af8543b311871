import { describe, expect, test } from "vitest";
import { toListed } from "@/features/inbox/live/listed";
import { alikeKey, foldMarks, type MarkAction, markedIn, MOST_AT_ONCE, NO_MARKS } from "@/features/inbox/bulk/marks";
import { aRequest } from "@/testing/examples";

const order = ["a", "b", "c", "d"].map((id) => toListed(aRequest({ id, tool: id === "d" ? "other" : "refund" })));
const marked = (...actions: MarkAction[]) => [...actions.reduce(foldMarks, NO_MARKS).ids];

describe("marking", () => {
  test("one is undone by marking it again", () => {
    expect(marked({ type: "toggle", id: "a" }, { type: "toggle", id: "b" }, { type: "toggle", id: "a" })).toEqual([
      "b",
    ]);
  });

  test("a range goes from the last one marked, in either direction", () => {
    expect(marked({ type: "toggle", id: "b" }, { type: "range", to: "d", order })).toEqual(["b", "c", "d"]);
    expect(marked({ type: "toggle", id: "c" }, { type: "range", to: "a", order })).toEqual(["c", "a", "b"]);
    expect(marked({ type: "range", to: "c", order })).toEqual(["c"]);
  });

  test("all alike are those of one tool, never another's", () => {
    expect(marked({ type: "alike", request: aRequest({ id: "a", tool: "refund" }), order })).toEqual(["a", "b", "c"]);
  });

  test("forgets nothing that is filtered away, but decides only what is open", () => {
    const marks = foldMarks(NO_MARKS, { type: "only", ids: ["b", "gone"] });
    expect(markedIn(order, marks).map(({ id }) => id)).toEqual(["b"]);
  });

  test("stops at what a person can check", () => {
    const many = Array.from({ length: 500 }, (_, number) => toListed(aRequest({ id: `r${String(number)}` })));
    expect(marked({ type: "alike", request: aRequest({ id: "r3" }), order: many })).toHaveLength(MOST_AT_ONCE);
  });
});

describe("questions are alike", () => {
  const question = (changes: Parameters<typeof aRequest>[0]) =>
    alikeKey(aRequest({ kind: "question", question: "May I?", question_type: "decision_required", ...changes }));

  test("when they ask and tell the same, whoever the customer is", () => {
    const context = (user_question: string) => ({ user_question, order: "1" });
    expect(question({ context: context("please") })).toBe(question({ context: context("now"), customer: "Bob" }));
    expect(question({ context: { order: "1" } })).not.toBe(question({ context: { order: "2" } }));
  });

  test("when a gap in the knowledge is the same, whatever is told beside it", () => {
    const gap = (order: string) =>
      question({ question_type: "knowledge_gap", context: { user_question: "Gift wrap?", order } });
    expect(gap("1")).toBe(gap("2"));
  });
});
