import { expect, test } from "vitest";
import { type BuiltFile, firstLoads } from "../../firstLoad";

const file = (size: number, changes: Partial<BuiltFile> = {}): BuiltFile => ({
  size,
  needs: [],
  later: [],
  made: null,
  ...changes,
});

test("a page weighs what it cannot do without, each file once, and not what it fetches later", () => {
  const files = new Map([
    ["entry.js", file(1, { needs: ["shared.js"], later: ["inbox.js", "form.js"] })],
    [
      "inbox.js",
      file(10, { needs: ["shared.js", "inbox.css"], later: ["form.js"], made: "/src/features/inbox/InboxPage.tsx" }),
    ],
    ["shared.js", file(100, { needs: ["entry.js"] })],
    ["inbox.css", file(1_000)],
    ["form.js", file(10_000, { made: "/src/features/inbox/edit/ArgumentsEditor.tsx" })],
  ]);
  expect([...firstLoads(files, "entry.js")]).toEqual([["InboxPage", 1_111]]);
});
