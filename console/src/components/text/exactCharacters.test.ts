import { expect, test } from "vitest";
import { countSuspicious, inspect } from "@/components/text/exactCharacters";

const marked = (text: string) =>
  inspect(text)
    .filter(({ kind }) => kind !== "plain")
    .map(({ text: character }) => character);

test.each([
  "Plain text, 42.5\nand a second line",
  "退款 ４２ 元".replace("４２", "42"),
  "全角标点，没有问题。（好）",
  "Привет, мир: сорок рублей",
  "Ответ по заказу API-12",
  "Καλημέρα κόσμε",
  "☕️ and 👍🏽 are fine",
  "résumé, naïve, Straße",
  "10 kΩ, 5 μm",
])("%j has nothing to hide", (text) => {
  expect(marked(text)).toEqual([]);
});

test.each([
  ["pаypal.com", ["а"]],
  ["аррӏе.com", ["а", "р", "р", "ӏ", "е"]],
  ["оплaта", ["a"]],
  ["Αmazon", ["Α"]],
  ["ｐay １00", ["ｐ", "１"]],
  ["𝐩𝐚𝐲", ["𝐩", "𝐚", "𝐲"]],
  ["bank.example⁄evil", ["⁄"]],
  ["a\u00a0b\u2009c", ["\u00a0", "\u2009"]],
  ["a\u{e0101}b", ["\u{e0101}"]],
  ["x\ufe0f", ["\ufe0f"]],
  ["a\u202eb", ["\u202e"]],
])("%j is marked", (text, characters) => {
  expect(marked(text)).toEqual(characters);
});

test("the pieces together are the text, whatever it is", () => {
  for (const text of ["", "a", "pаy\u202e 退 🙂\u200d", "\u{e0041}", "e\u0301"]) {
    expect(
      inspect(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  }
});

test("hidden and look-alike characters are counted apart", () => {
  expect(countSuspicious("pаy\u200b\u200bme")).toEqual({ hidden: 2, lookalike: 1 });
});
