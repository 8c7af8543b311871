import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { MarkdownText } from "@/components/text/MarkdownText";

const shown = (text: string) => render(<MarkdownText text={text} />).container;

test("an agent's lists, emphasis and code are shown as such", () => {
  const page = shown("**Done.**\n\n- one\n- two\n\n`code`");
  expect(page.querySelector("strong")).toHaveTextContent("Done.");
  expect(page.querySelectorAll("li")).toHaveLength(2);
  expect(page.querySelector("code")).toHaveTextContent("code");
});

test("HTML stays text", () => {
  const page = shown('Hi <img src=x onerror=alert(1)> <script>alert(1)</script>\n\n<iframe src="https://a.example">');
  expect(page.querySelector("img, script, iframe")).toBeNull();
  expect(page).toHaveTextContent("<img src=x onerror=alert(1)>");
});

test("an image becomes its description, so that nothing is fetched", () => {
  const page = shown("![a cat](https://tracker.example/pixel.png)");
  expect(page.querySelector("img")).toBeNull();
  expect(page).toHaveTextContent("a cat https://tracker.example/pixel.png");
});

test("a link opens apart, and only where links go", () => {
  const page = shown(
    "[shop](https://shop.example) [bad](javascript:alert(1)) [worse](data:text/html,x) [here](/console)",
  );
  const links = [...page.querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://shop.example"]);
  expect(links[0]).toHaveAttribute("rel", "noopener noreferrer nofollow");
  expect(page).toHaveTextContent("shop bad worse here");
});

test("hidden characters are named, but for the joiners of emoji", () => {
  expect(shown("pay\u202eee")).toHaveTextContent("pay[U+202E]ee");
  expect(shown("👩\u200d💻")).toHaveTextContent("👩\u200d💻");
});
