import { expect, test } from "vitest";
import en from "@/i18n/en";
import zh from "@/i18n/zh";

const sources = import.meta.glob<string>(["/src/**/*.{ts,tsx}", "!/src/**/*.test.*"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const code = Object.values(sources).join("\n");

const written = import.meta.glob<Texts>("/src/i18n/{en,zh}/*.json", { import: "default", eager: true });

interface Texts {
  [key: string]: string | Texts;
}

function flatten(texts: Texts, prefix = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Chinese has one plural form and English two: the count is the same text. */
const singular = (key: string) => key.replace(/_(one|other)$/, "");
const keysOf = (texts: Texts) => [...new Set(flatten(texts).map(([key]) => singular(key)))].sort();
const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

test.each(Object.entries({ en, zh }))("every file of texts in %s is part of them", (language, texts) => {
  const files = Object.entries(written).filter(([path]) => path.startsWith(`/src/i18n/${language}/`));
  expect(files.length).toBeGreaterThan(10);
  for (const [path, content] of files) expect([path, texts]).toEqual([path, expect.objectContaining(content)]);
});

test("Chinese and English have the same keys", () => {
  expect(keysOf(zh)).toEqual(keysOf(en));
});

test("Chinese and English fill in the same values", () => {
  const english = new Map(flatten(en));
  for (const [key, text] of flatten(zh)) {
    expect([key, placeholders(text)]).toEqual([key, placeholders(english.get(key) ?? "")]);
  }
});

test("no text is empty, and every Chinese text is Chinese or a name", () => {
  const untranslated = flatten(zh).filter(([, text]) => !/\p{Script=Han}/u.test(text));
  expect(untranslated.map(([key]) => key)).toEqual(["app.name"]);
  expect(flatten(en).filter(([, text]) => !text.trim())).toEqual([]);
});

test("an operator has one name in Chinese", () => {
  expect(flatten(zh).filter(([, text]) => text.includes("操作员"))).toEqual([]);
});

test("every key in the code has a text", () => {
  const used = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key]) => key ?? "");
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((key) => !keysOf(en).includes(key))).toEqual([]);
});

test("every text is used", () => {
  const patterns = [...code.matchAll(/["`]([a-z]\w*(?:\.(?:\w+|\$\{[^}]+\}))+)["`]/gi)].map(
    ([, key]) => new RegExp(`^${(key ?? "").replaceAll(".", "\\.").replace(/\$\{[^}]+\}/g, "[\\w.]+")}$`),
  );
  expect(keysOf(en).filter((key) => !patterns.some((pattern) => pattern.test(key)))).toEqual([]);
});

test("no sentence is written into the code", () => {
  const pages = Object.entries(sources).filter(([path]) => path.endsWith(".tsx"));
  const found = pages.flatMap(([path, source]) =>
    [...source.matchAll(/(?:^|[^=])>\s*([A-Z][a-z]+[^<>{}=;()]*)</gm)].map(([, text]) => `${path}: ${text ?? ""}`),
  );
  expect(found).toEqual([]);
});
