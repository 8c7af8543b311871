import { expect, test } from "vitest";
import { headline, keyArguments } from "@/features/inbox/list/summary";
import { aRequest } from "@/testing/examples";

test("the first three arguments stand for all, in one line each", () => {
  const args = { order: "A\n1", amount: 5, lines: [1, 2], note: "left out" };
  expect(keyArguments(args)).toEqual([
    { name: "order", value: "A 1" },
    { name: "amount", value: "5" },
    { name: "lines", value: "[2]" },
  ]);
});

test("a long value is shortened without breaking a character", () => {
  const value = keyArguments({ note: "手".repeat(60) })[0]?.value;
  expect(value).toBe(`${"手".repeat(47)}…`);
  expect(keyArguments({ note: "🙂".repeat(60) })[0]?.value.endsWith("🙂…")).toBe(true);
});

test("a question is its own headline, a call goes by its tool", () => {
  expect(headline(aRequest({ kind: "question", question: "May I?" }))).toBe("May I?");
  expect(headline(aRequest())).toBe("issue_refund");
});
