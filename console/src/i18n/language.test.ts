import { expect, test } from "vitest";
import { chooseLanguage } from "@/i18n/language";

test.each([
  { remembered: null, preferred: ["zh-TW", "en"], chosen: "zh" },
  { remembered: null, preferred: ["fr", "zh-CN", "en"], chosen: "zh" },
  { remembered: null, preferred: ["fr"], chosen: "en" },
  { remembered: "en", preferred: ["zh-CN"], chosen: "en" },
  { remembered: "klingon", preferred: ["zh"], chosen: "zh" },
])("with $remembered remembered and $preferred preferred, it is $chosen", ({ remembered, preferred, chosen }) => {
  expect(chooseLanguage(remembered, preferred)).toBe(chosen);
});
