import { expect, test } from "vitest";
import { faultsOf } from "@/features/inbox/edit/values/faults";

const SCHEMA = {
  $defs: { Line: { type: "object", properties: { sku: { type: "string", minLength: 2 } }, required: ["sku"] } },
  type: "object",
  properties: {
    amount: { type: "number", maximum: 100 },
    pieces: { anyOf: [{ type: "integer" }, { type: "null" }] },
    lines: { type: "array", items: { $ref: "#/$defs/Line" } },
    when: { type: "string", format: "date-time" },
  },
  required: ["amount"],
  additionalProperties: false,
};
const found = (value: unknown) => faultsOf(SCHEMA, value).map(({ path, rule }) => [path, rule]);

test("what fits has no faults, and a format is no rule", () => {
  expect(found({ amount: 10, pieces: null, lines: [{ sku: "ab" }], when: "soon" })).toEqual([]);
});

test.each([
  [{}, [["amount", "required"]]],
  [{ amount: "ten" }, [["amount", "number"]]],
  [{ amount: 101 }, [["amount", "maximum"]]],
  [{ amount: 1, lines: [{ sku: "ab" }, { sku: "a" }] }, [["lines.1.sku", "minLength"]]],
  [{ amount: 1, lines: [{}] }, [["lines.0.sku", "required"]]],
  [{ amount: 1, other: 1 }, [["other", "unknown"]]],
])("%j is wrong where it is wrong", (value, faults) => {
  expect(found(value)).toEqual(faults);
});

test("of several alternatives one word is enough", () => {
  expect(found({ amount: 1, pieces: "x" })).toEqual([["pieces", "integer"]]);
});

test("without a schema nothing is wrong, and a broken schema is the service's to judge", () => {
  expect(faultsOf(null, { a: 1 })).toEqual([]);
  expect(faultsOf({ $ref: "#/nowhere" }, { a: 1 })).toEqual([]);
});

test("the schema is left as it was", () => {
  const before = JSON.stringify(SCHEMA);
  found({});
  expect(JSON.stringify(SCHEMA)).toBe(before);
});
