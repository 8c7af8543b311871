import { expect, test } from "vitest";
import { filterOf } from "@/features/audit/filter";

const read = (query: string) => filterOf(new URLSearchParams(query));

test("what the address does not say is not asked for", () => {
  expect(read("")).toEqual({});
  expect(read("actor=%20&since=soon&until=2026-13-77")).toEqual({});
});

test("texts are taken as they are, and a day lasts until its night", () => {
  const { since, until, ...texts } = read(
    "actor=ada&tool=refund&name=request.decided&since=2026-03-01&until=2026-03-01",
  );
  expect(texts).toEqual({ actor: "ada", tool: "refund", name: "request.decided" });
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(24 * 3600 * 1000);
});
