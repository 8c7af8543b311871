import { describe, expect, test } from "vitest";
import { changesOf, isSame } from "@/features/inbox/edit/values/changes";
import { draftOf, enter, enterJson, enterUnread, jsonOf } from "@/features/inbox/edit/values/editorDraft";
import { readNumber } from "@/features/inbox/edit/values/numbers";
import { withAt } from "@/features/inbox/edit/values/places";

const ARGS = { amount: 42.5, address: { city: "A", zip: "1" }, tags: ["x", "y"] };

describe("a draft", () => {
  test("keeps everything beside what is changed", () => {
    const draft = enter(draftOf(ARGS), ["address", "city"], "B");
    expect(draft.value).toEqual({ ...ARGS, address: { city: "B", zip: "1" } });
    expect(JSON.parse(jsonOf(draft))).toEqual(draft.value);
  });

  test("keeps what is typed until it can be read, and the value as it was", () => {
    const draft = enterUnread(draftOf(ARGS), ["amount"], "ten");
    expect([draft.value, draft.typed, draft.unread]).toEqual([ARGS, { amount: "ten" }, ["amount"]]);
    const mended = enter(draft, ["amount"], 10, "10.0");
    expect([mended.value.amount, mended.typed, mended.unread]).toEqual([10, { amount: "10.0" }, []]);
  });

  test("follows the JSON text as soon as it can be read", () => {
    const broken = enterJson(draftOf(ARGS), '{"amount": ');
    expect([broken.value, jsonOf(broken)]).toEqual([ARGS, '{"amount": ']);
    expect(enterJson(broken, '{"amount": 1}').value).toEqual({ amount: 1 });
  });

  test("lets the form overrule the text", () => {
    const draft = enter(enterJson(draftOf(ARGS), '{ "amount":1 }'), ["amount"], 2);
    expect(jsonOf(draft)).toBe('{\n  "amount": 2\n}');
  });
});

test.each([
  ["10", 10],
  ["42.50", 42.5],
  ["-1e3", -1000],
  ["ten", null],
  ["0x10", null],
  ["1,5", null],
  ["", null],
  ["1e999", null],
])("%j is read as %j", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test("a place is taken away without its neighbours", () => {
  expect(withAt(ARGS, ["address", "zip"], undefined)).toEqual({ ...ARGS, address: { city: "A" } });
  expect(withAt(ARGS, ["tags", 0], undefined)).toEqual({ ...ARGS, tags: ["y"] });
});

test("changes are told place by place", () => {
  expect(changesOf(ARGS, { amount: 10, address: { city: "A" }, tags: ["x", "z", "w"], note: "n" })).toEqual([
    { what: "changed", path: "amount", before: 42.5, after: 10 },
    { what: "removed", path: "address.zip", before: "1" },
    { what: "changed", path: "tags[2]", before: "y", after: "z" },
    { what: "added", path: "tags[3]", after: "w" },
    { what: "added", path: "note", after: "n" },
  ]);
});

test("the order of names is no change, a text for a number is", () => {
  expect(isSame({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isSame({ a: 1 }, { a: "1" })).toBe(false);
  expect(isSame({ a: undefined }, {})).toBe(false);
});
