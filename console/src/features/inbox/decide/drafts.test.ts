import { expect, test } from "vitest";
import { draftOf, forgetDraftsOfPage, keepDraft, NO_DRAFT } from "@/features/inbox/decide/drafts";

test("a draft is kept for its request, also through a reload", () => {
  keepDraft("one", { ...NO_DRAFT, form: "reject", reason: "Too much" });
  forgetDraftsOfPage();
  expect(draftOf("one")).toMatchObject({ form: "reject", reason: "Too much" });
  expect(draftOf("two")).toEqual(NO_DRAFT);
});

test("an empty draft is not kept, and the oldest go first", () => {
  keepDraft("empty", NO_DRAFT);
  for (let number = 0; number < 60; number += 1) keepDraft(`r${number}`, { ...NO_DRAFT, text: "x" });
  expect(sessionStorage.getItem("handraise.drafts")).not.toContain('"empty"');
  expect(draftOf("r0")).toEqual(NO_DRAFT);
  expect(draftOf("r59").text).toBe("x");
});

test("a store with rubbish in it is an empty one", () => {
  sessionStorage.setItem("handraise.drafts", "{");
  forgetDraftsOfPage();
  expect(draftOf("one")).toEqual(NO_DRAFT);
});
