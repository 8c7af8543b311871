import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Entry } from "@/api/knowledge";
import { AT } from "@/testing/examples";
import { renderAt } from "@/testing/renderAt";
import { answerCalls } from "@/testing/service";

const draft: Entry = {
  id: "kb_1",
  question: "When does it ship?",
  wordings: [],
  answer: "On <b>Monday</b>.",
  tags: [],
  status: "draft",
  created_by: { kind: "operator", id: "ada", channel: "console" },
  request_id: null,
  similar_to: null,
  merged_into: null,
  uses: 0,
  version: 3,
  updated_at: AT,
};
const twin: Entry = { ...draft, id: "kb_2", status: "published", question: "Shipping date?", answer: "Tuesday." };
const LIST = "GET /api/v1/knowledge";
const SIMILAR = "GET /api/v1/knowledge/kb_1/similar";
const listed = { [LIST]: () => ({ body: { items: [draft], next_cursor: null } }), [SIMILAR]: () => ({ body: [twin] }) };

test("a draft whose twin is published is published only when both are wanted", async () => {
  let refused = false;
  const calls = answerCalls({
    ...listed,
    "POST /api/v1/knowledge/kb_1/publish": () => {
      if (refused) return { body: { ...draft, status: "published" } };
      refused = true;
      return { status: 409, body: { code: "already_known", detail: "Another entry asks the same." } };
    },
  });
  const { user } = renderAt("/console/knowledge");
  await user.click(await screen.findByRole("button", { name: "Publish" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Another entry asks the same.");
  await user.click(screen.getByRole("button", { name: "Publish both" }));
  await waitFor(() => {
    const sent = calls.filter(({ path }) => path.endsWith("/publish")).map(({ body }) => body);
    expect(sent).toEqual([
      { version: 3, even_if_similar: false },
      { version: 3, even_if_similar: true },
    ]);
  });
});

test("a draft is merged into the entry that asks the same", async () => {
  const calls = answerCalls({ ...listed, "POST /api/v1/knowledge/kb_1/merge": () => ({ body: twin }) });
  const { user } = renderAt("/console/knowledge");
  expect(await screen.findByText("On <b>Monday</b>.")).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Merge, with this answer" }));
  await waitFor(() => {
    expect(calls.find(({ path }) => path.endsWith("/merge"))?.body).toEqual({
      version: 3,
      into: "kb_2",
      take_answer: true,
    });
  });
});

test("somebody whose role may not see it is told so", async () => {
  answerCalls({ [LIST]: () => ({ status: 403, body: { code: "not_permitted" } }) });
  renderAt("/console/knowledge");
  expect(await screen.findByRole("heading", { name: "This page is not for your role" })).toBeVisible();
});
