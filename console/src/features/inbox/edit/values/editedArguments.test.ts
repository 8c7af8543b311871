import { expect, test } from "vitest";
import { readArguments, writeArguments } from "@/features/inbox/edit/values/editedArguments";

test("a number stays a number and a text a text", () => {
  expect(readArguments('{"amount": 10, "code": "10"}')).toEqual({ ok: true, args: { amount: 10, code: "10" } });
});

test("broken JSON is refused in the parser's words", () => {
  const read = readArguments('{"amount": }');
  expect(read.ok).toBe(false);
  expect(!read.ok && read.error).toContain("JSON");
});

test.each(["[]", "null", "10", '"text"'])("%s is JSON but no set of arguments", (text) => {
  expect(readArguments(text)).toEqual({ ok: false, error: null });
});

test("hidden characters are written as escapes, and read back unchanged", () => {
  const args = { name: "pay\u202eee", tag: "\u{e0041}", lines: "one\ntwo" };
  const text = writeArguments(args);
  expect(text).toContain("pay\\u202eee");
  expect(readArguments(text)).toEqual({ ok: true, args });
});
