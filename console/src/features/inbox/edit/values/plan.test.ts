import { expect, test } from "vitest";
import { completed, planOf } from "@/features/inbox/edit/values/plan";

const SCHEMA = {
  $defs: { Address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  type: "object",
  properties: {
    order_id: { type: "string", title: "Order Id", description: "Which order" },
    amount: { type: "number", title: "Refund" },
    pieces: { type: "integer" },
    express: { type: "boolean" },
    reason: { enum: ["broken", "late"] },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    tags: { type: "array", items: { type: "string" } },
    address: { $ref: "#/$defs/Address" },
    either: { oneOf: [{ type: "string" }, { type: "number" }] },
    extra: {},
  },
  required: ["order_id"],
};
const ARGS = { order_id: "1", amount: 4, note: null, tags: ["a"], address: { city: "B" }, hidden: [1, "x"] };
const kinds = (plan: ReturnType<typeof planOf>) =>
  Object.fromEntries(Object.entries(plan.fields).map(([name, { kind }]) => [name, kind]));

test("each argument gets the input that fits it, also one that the schema does not name", () => {
  expect(kinds(planOf(SCHEMA, ARGS))).toEqual({
    order_id: "text",
    amount: "number",
    pieces: "number",
    express: "boolean",
    reason: "choice",
    note: "text",
    tags: "list",
    address: "object",
    either: "json",
    extra: "json",
    hidden: "json",
  });
});

test("labels are names, unless a developer wrote a title", () => {
  const { fields } = planOf(SCHEMA, ARGS);
  expect(fields.order_id).toMatchObject({ label: "order_id", description: "Which order", required: true });
  expect(fields.amount).toMatchObject({ label: "Refund", required: false });
  expect(fields.note).toMatchObject({ nullable: true });
  expect(fields.address?.fields.city).toMatchObject({ kind: "text", required: true });
});

test("a value that is not what the schema says is edited as what it is", () => {
  const plan = planOf(SCHEMA, { amount: "ten", tags: ["a", 2], order_id: "pay\u202eee", reason: "other" });
  expect(kinds(plan)).toMatchObject({ amount: "json", tags: "json", order_id: "json", reason: "json" });
});

test("without a schema the arguments say what they are", () => {
  const args = { a: "x", b: 2, c: true, d: { e: 1 }, f: null, g: [1, 2], h: [] };
  expect(kinds(planOf(null, args))).toEqual({
    a: "text",
    b: "number",
    c: "boolean",
    d: "object",
    f: "json",
    g: "list",
    h: "json",
  });
});

test("an input stays when its value is taken away", () => {
  expect(kinds(planOf(completed(null, { b: 2 }), {}))).toEqual({ b: "number" });
  expect(kinds(planOf(completed({ type: "object", properties: {} }, { b: 2 }), {}))).toEqual({ b: "number" });
});

test("names that every object has are names like others", () => {
  const args = JSON.parse('{"constructor": "x", "__proto__": 1}') as Record<string, unknown>;
  expect(kinds(planOf({ type: "object", properties: {} }, args)).constructor).toBe("text");
});

test("a schema that leads back to itself ends as JSON", () => {
  const tree = { type: "object", properties: { child: { $ref: "#" } } };
  expect(() => planOf(tree, { child: { child: {} } })).not.toThrow();
});
