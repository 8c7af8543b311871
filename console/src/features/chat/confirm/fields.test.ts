import { describe, expect, test } from "vitest";
import { fieldsOf, readDraft, shownValue } from "@/features/chat/confirm/fields";

const SCHEMA = {
  properties: {
    order_id: { type: "string", title: "Order" },
    amount: { type: "number" },
    pieces: { type: "integer" },
    express: { type: "boolean" },
    reason: { enum: ["broken", "late"] },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    tags: { type: "array" },
  },
  required: ["order_id", "amount"],
};
const ARGS = { order_id: "0012", amount: 42.5, pieces: 1, express: false, reason: "late", note: null, tags: ["a"] };
const fields = fieldsOf(SCHEMA, ARGS);
const read = (draft: Record<string, string | boolean>) => readDraft(fields, ARGS, draft);

test("each argument gets the input that fits it", () => {
  expect(fields.map(({ kind }) => kind)).toEqual(["text", "number", "integer", "boolean", "choice", "text", "json"]);
  expect(fields[0]).toMatchObject({ label: "Order", required: true });
});

test("without a schema the arguments say what they are", () => {
  const kinds = fieldsOf(null, { a: "x", b: 2, c: true, d: { e: 1 }, f: null }).map(({ kind }) => kind);
  expect(kinds).toEqual(["text", "number", "boolean", "json", "json"]);
});

test("a value that is not what the schema says is shown as it is", () => {
  const odd = { amount: "ten" };
  const [amount] = fieldsOf({ properties: { amount: { type: "number" } } }, odd);
  expect(amount && shownValue(amount, odd)).toBe('"ten"');
});

describe("a form", () => {
  test("that nobody touched is unchanged, and so is one that was changed back", () => {
    expect(read({})).toEqual({ args: ARGS, errors: {}, changed: false });
    expect(read({ amount: "42.5", order_id: "0012" })).toMatchObject({ args: ARGS, changed: false });
  });

  test("keeps a number a number and a text a text", () => {
    expect(read({ amount: "10", order_id: "13" }).args).toEqual({ ...ARGS, amount: 10, order_id: "13" });
  });

  test.each([
    [{ amount: "ten" }, { amount: "notNumber" }],
    [{ amount: "" }, { amount: "required" }],
    [{ amount: "0x10" }, { amount: "notNumber" }],
    [{ pieces: "1.5" }, { pieces: "notInteger" }],
    [{ tags: "[1," }, { tags: "notJson" }],
  ])("%j is refused where it is wrong", (draft, errors) => {
    expect(read(draft).errors).toEqual(errors);
  });

  test("reads choices, switches, lists and what may be empty", () => {
    const { args } = read({ express: true, reason: "broken", tags: "[]", note: "soon", pieces: "" });
    expect(args).toEqual({ order_id: "0012", amount: 42.5, express: true, reason: "broken", note: "soon", tags: [] });
  });
});
