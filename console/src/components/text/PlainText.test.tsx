import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { PlainText } from "@/components/text/PlainText";

const shown = (text: string) => render(<PlainText text={text} />).container;

test("plain text is shown as it is, also in Chinese and with line breaks", () => {
  expect(shown("退款 42.5\nok").innerHTML).toBe("退款 42.5\nok");
});

test("markup stays text", () => {
  expect(shown("<img src=x onerror=alert(1)>").querySelector("img")).toBeNull();
});

test.each([
  ["\u202e", "U+202E"],
  ["\u200b", "U+200B"],
  ["\u0000", "U+0000"],
  ["\u{e0041}", "U+E0041"],
])("the hidden character %j is named", (character, name) => {
  expect(shown(`pay${character}ee`).textContent).toBe(`pay${name}ee`);
});
