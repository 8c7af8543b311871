import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Request } from "@/api/types";
import { aRequest, aRequestEvent, approvedBy } from "@/testing/examples";
import { button, DECISION, email, outcome, question, refund, visit } from "@/testing/inbox";
import { answerCalls, type Call, LaterAnswer } from "@/testing/service";

describe("the feed that is quicker than the answer to one's own call", () => {
  const reject = { ...approvedBy("ada", refund), decision: { type: "reject" as const, reason: "Too much" } };

  async function rejectAndHearOfIt(): Promise<LaterAnswer> {
    const answer = new LaterAnswer();
    answerCalls({ [DECISION]: () => answer.given });
    const { user, server } = await visit("/console/requests/req_1", refund);
    await user.click(await button("Reject"));
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Too much");
    await user.click(await button("Reject"));
    await server.send(aRequestEvent(11, "request.decided", reject));
    return answer;
  }

  test("changes nothing until the call is answered", async () => {
    const answer = await rejectAndHearOfIt();
    expect(screen.getByRole("textbox", { name: "Reason" })).toHaveValue("Too much");
    expect(screen.queryByTestId("outcome")).not.toBeInTheDocument();
    answer.give({ body: reject });
    expect(await outcome()).toHaveTextContent(/Rejected.*by you/);
    expect(screen.queryByText("What you had begun, not sent")).not.toBeInTheDocument();
  });

  test("says what was decided when the answer never comes", async () => {
    const answer = await rejectAndHearOfIt();
    answer.give(new TypeError("no network"));
    expect(await outcome()).toHaveTextContent(/Rejected.*by you/);
    expect(screen.queryByText("What you had begun, not sent")).not.toBeInTheDocument();
  });
});

describe("a claim", () => {
  const CLAIM = "POST /api/v1/requests/req_1/claim";
  const RELEASE = "POST /api/v1/requests/req_1/release";
  const held = aRequest({ version: 2, claimed_by: "ada", claim_until: "2126-03-01T10:00:00Z" });
  const free = aRequest({ version: 3 });
  const paths = (calls: Call[]) => calls.map(({ path }) => path.split("/").at(-1));

  test.each(["form", "page"])("that is answered when its %s has been left is given back", async (left) => {
    const answer = new LaterAnswer();
    const calls = answerCalls({ [CLAIM]: () => answer.given, [RELEASE]: () => ({ body: free }) });
    const { user } = await visit("/console/requests/req_1", refund, email);
    await user.click(await button("Reject"));
    await waitFor(() => {
      expect(paths(calls)).toEqual(["claim"]);
    });
    await user.keyboard("{Escape}");
    if (left === "page") await user.keyboard("j");
    answer.give({ body: held });
    await waitFor(() => {
      expect(paths(calls)).toEqual(["claim", "release"]);
    });
    if (left === "form") expect(await screen.findByText("Nobody is on it")).toBeVisible();
  });

  test("that the feed told of can be released before its call is answered", async () => {
    const answer = new LaterAnswer();
    const calls = answerCalls({ [CLAIM]: () => answer.given, [RELEASE]: () => ({ body: free }) });
    const { user, server } = await visit("/console/requests/req_1", refund);
    await button("Approve");
    await user.keyboard("c");
    await server.send(aRequestEvent(11, "request.claimed", held));
    expect(await screen.findByText(/You are on it/)).toBeVisible();
    await user.keyboard("c");
    expect(await screen.findByText("Nobody is on it")).toBeVisible();
    answer.give({ body: held });
    await server.send(aRequestEvent(12, "request.released", free));
    expect(screen.getByText("Nobody is on it")).toBeVisible();
    expect(paths(calls)).toEqual(["claim", "release"]);
  });
});

test("one answer for several says how many others got it, and who was first where somebody was", async () => {
  const twin = aRequest({ ...question, id: "req_4" });
  const answered = (who: string, request: Request) => ({
    ...approvedBy(who, request),
    decision: { type: "respond" as const, text: "Yes.", selected_option: null },
  });
  const refused = { request_id: "req_3", request: null, code: "already_settled", detail: "Too late." };
  const items = [refused, { request_id: "req_4", request: answered("ada", twin), code: "", detail: "" }];
  answerCalls({
    "GET /api/v1/requests/req_3/similar": () => ({ body: { past_answers: [], open_requests: [twin], passages: [] } }),
    "GET /api/v1/requests/req_3": () => ({ body: answered("bob", question) }),
    "POST /api/v1/requests/req_3/decision-for-all": () => ({ body: { items } }),
  });
  const { user } = await visit("/console/requests/req_3", question, twin);
  await user.click(await screen.findByRole("checkbox", { name: "Also answer 1 other that asks the same" }));
  await user.type(screen.getByRole("textbox", { name: "Answer" }), "Yes.");
  await user.click(await button("Send to all 2"));
  expect(await outcome()).toHaveTextContent(/Somebody was first.*bob.*The same answer went to one other who asked it/);
});
