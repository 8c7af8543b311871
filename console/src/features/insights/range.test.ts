import { expect, test } from "vitest";
import { queryOf, rangeOf, stepOf } from "@/features/insights/range";
import { formatSeconds } from "@/features/insights/numbers";

const LATE = Date.parse("2026-03-01T20:00:00Z");

test("days end on today of the zone, which may be tomorrow elsewhere", () => {
  const range = rangeOf(new URLSearchParams("zone=Asia/Shanghai&days=7"), LATE);
  expect(range).toEqual({ first: "2026-02-24", last: "2026-03-02", zone: "Asia/Shanghai", days: 7 });
  expect(queryOf(range)).toEqual({ from: "2026-02-24", to: "2026-03-03", zone: "Asia/Shanghai" });
});

test("an address that makes no sense is the last seven days", () => {
  const range = rangeOf(new URLSearchParams("zone=Mars&from=2026-03-05&to=2026-03-01&days=8"), LATE);
  expect(range.days).toBe(7);
});

test("two days go by the hour, more by the day", () => {
  expect(stepOf(rangeOf(new URLSearchParams("zone=UTC&from=2026-03-01&to=2026-03-02"), LATE))).toBe("hour");
  expect(stepOf(rangeOf(new URLSearchParams("zone=UTC&from=2026-03-01&to=2026-03-03"), LATE))).toBe("day");
});

test("lengths of time are as precise as helps", () => {
  expect([0.8, 42, 210, 9000].map((seconds) => formatSeconds(seconds, "en"))).toEqual(["0.8s", "42s", "3.5m", "2.5h"]);
});
