import { expect, test } from "vitest";
import { formatCountdown, formatLength } from "@/time/format";

test.each([
  [-5, "0 sec"],
  [59_999, "59 sec"],
  [60_000, "1 min"],
  [3_599_000, "59 min"],
  [7_200_000, "2 hr"],
  [172_800_000, "2 days"],
])("%d ms is %s long", (ms, text) => {
  expect(formatLength(ms, "en")).toBe(text);
});

test("a length is told in the reader's language", () => {
  expect(formatLength(120_000, "zh")).toBe("2分钟");
});

test.each([
  [41_200, "0:42"],
  [725_000, "12:05"],
  [7_200_000, "2 hr"],
  [-1, "0:00"],
])("a countdown of %d ms reads %s", (ms, text) => {
  expect(formatCountdown(ms, "en")).toBe(text);
});
