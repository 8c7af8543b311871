import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { LIVE_PATH } from "@/api/live/useLiveFeed";
import { aRequest, aRequestEvent, approvedBy, aSnapshot } from "@/testing/examples";
import { button, DECISION, email, outcome, question, refund, visit } from "@/testing/inbox";
import { renderAt } from "@/testing/renderAt";
import { answerCalls, type Call } from "@/testing/service";
import { SocketDouble } from "@/testing/SocketDouble";

const decided = ({ body }: Call) => ({ body: { ...approvedBy("ada", refund), decision: body } });

describe("the list", () => {
  test("shows what is open, and follows the feed", async () => {
    answerCalls({});
    const { server, rows } = await visit("/console", refund);
    expect(rows()[0]).toHaveTextContent("issue_refund");
    expect(rows()[0]).toHaveTextContent("order_id A-1024");
    await server.send(aRequestEvent(11, "request.opened", email));
    expect(rows()).toHaveLength(2);
    await server.send(aRequestEvent(12, "request.decided", approvedBy("bob", refund)));
    expect(rows()).toHaveLength(1);
    expect(document.title).toBe("(1) Inbox · Handraise");
  });

  test("tells nothing known from nothing open from no answer", async () => {
    answerCalls({});
    renderAt("/console");
    expect(await screen.findByRole("status", { name: "Loading the open requests" })).toBeVisible();
    await SocketDouble.at(LIVE_PATH).drop();
    expect(await screen.findByRole("alert")).toHaveTextContent("The inbox cannot be loaded");
    const server = await waitFor(() => SocketDouble.at(LIVE_PATH));
    await server.send(aSnapshot(1, []));
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
  });

  test("goes on from its cursor when the connection broke", async () => {
    answerCalls({});
    const { server, rows } = await visit("/console", refund);
    await server.send(aRequestEvent(11, "request.opened", email));
    await server.drop();
    expect(await screen.findByText("Connection lost. Reconnecting…")).toBeVisible();
    const again = await waitFor(() => SocketDouble.at(LIVE_PATH));
    expect(again.url).toBe(`${LIVE_PATH}?after=11`);
    // What it had told already comes again, and what happened meanwhile.
    await again.send(
      aRequestEvent(11, "request.opened", email),
      aRequestEvent(12, "request.decided", approvedBy("bob", refund)),
    );
    expect(rows()).toHaveLength(1);
    expect(screen.queryByText("Connection lost. Reconnecting…")).not.toBeInTheDocument();
  });

  test.each([
    ["nobody", "You are signed out"],
    ["service", "The inbox is not open to you"],
  ] as const)("says so and stops trying when the socket is refused to %s", async (role, title) => {
    answerCalls({ "GET /api/v1/me": () => ({ body: { id: "", name: "", role } }) });
    const { server } = await visit("/console", refund);
    await server.drop();
    expect(await screen.findByRole("heading", { name: title })).toBeVisible();
    expect(screen.getByRole("link", { name: /Sign in/ })).toHaveAttribute(
      "href",
      expect.stringContaining("/sign-in?next="),
    );
    expect(SocketDouble.opened(LIVE_PATH)).toHaveLength(1);
  });
});

describe("the detail", () => {
  test("shows exactly what would run, and marks what the agent wrote", async () => {
    answerCalls({});
    await visit(
      "/console/requests/req_1",
      aRequest({ description: "Trust me", args: { note: "a\u202eb", amount: 42.5 } }),
    );
    expect(await screen.findByRole("heading", { level: 2, name: "issue_refund" })).toBeVisible();
    expect(screen.getByText("U+202E", { selector: "dd *" })).toBeVisible();
    expect(screen.getByText("42.5", { selector: "dd" })).toBeVisible();
    expect(screen.getByRole("heading", { name: /Description.*written by the agent/ })).toBeVisible();
  });

  test("of a request that was settled long ago is fetched", async () => {
    answerCalls({ "GET /api/v1/requests/req_1": () => ({ body: approvedBy("ada", refund) }) });
    await visit("/console/requests/req_1");
    expect(await outcome()).toHaveTextContent(/Approved.*by you/);
  });

  test("offers only what the request takes", async () => {
    answerCalls({});
    await visit("/console/requests/req_1", aRequest({ allowed: ["reject"] }));
    expect(await button("Reject")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Approve" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Edit" })).not.toBeInTheDocument();
  });
});

describe("a decision", () => {
  test("approves, leaves the list and says so", async () => {
    const calls = answerCalls({ [DECISION]: decided });
    const { user, rows } = await visit("/console/requests/req_1", refund, email);
    await user.click(await button("Approve"));
    expect(await outcome()).toHaveTextContent("Approved");
    expect(calls[0]?.body).toEqual({ type: "approve" });
    expect(rows()).toHaveLength(1);
    await user.click(await button("Next request"));
    expect(await screen.findByRole("heading", { level: 2, name: "send_email" })).toBeVisible();
  });

  test("rejects with a reason", async () => {
    const calls = answerCalls({ [DECISION]: decided });
    const { user } = await visit("/console/requests/req_1", refund);
    await user.click(await button("Reject"));
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Too much");
    await user.click(await button("Reject"));
    expect(await outcome()).toHaveTextContent("Too much");
    expect(calls[0]?.body).toEqual({ type: "reject", reason: "Too much" });
  });

  test("edits: broken JSON is explained, then a number stays a number", async () => {
    const calls = answerCalls({ [DECISION]: decided });
    const { user } = await visit("/console/requests/req_1", refund);
    await user.click(await button("Edit"));
    await user.click(await screen.findByRole("tab", { name: "JSON" }));
    const field = screen.getByRole("textbox", { name: "Arguments as JSON" });
    await user.clear(field);
    await user.type(field, '{{"amount": ');
    await user.click(await button("Approve with these arguments"));
    expect(await screen.findByText(/This is not JSON/)).toBeVisible();
    await user.type(field, "10}");
    await user.click(await button("Approve with these arguments"));
    expect(await outcome()).toHaveTextContent("Approved with changes");
    expect(calls.map(({ body }) => body)).toEqual([{ type: "edit", args: { amount: 10 } }]);
  });

  test("answers a question by an option", async () => {
    const calls = answerCalls({
      "POST /api/v1/requests/req_3/decision": ({ body }) => ({
        body: { ...approvedBy("ada", question), decision: body },
      }),
    });
    const { user } = await visit("/console/requests/req_3", question);
    await user.click(await button("Send the answer"));
    expect(await screen.findByText("Write an answer or choose an option.")).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "Waive it" }));
    await user.click(await button("Send the answer"));
    expect(await outcome()).toHaveTextContent("Waive it");
    expect(calls[0]?.body).toEqual({ type: "respond", text: "", selected_option: "yes" });
  });

  test("that comes too late says who decided what and when", async () => {
    answerCalls({
      [DECISION]: () => ({ status: 409, body: { code: "already_settled", detail: "Too late", details: {} } }),
      "GET /api/v1/requests/req_1": () => ({ body: approvedBy("bob", refund) }),
    });
    const { user, rows } = await visit("/console/requests/req_1", refund, email);
    await user.click(await button("Reject"));
    await user.click(await button("Reject"));
    expect(await outcome()).toHaveTextContent(/Somebody was first.*Approved.*bob.*2026/);
    expect(rows()).toHaveLength(1);
  });

  test("that is refused changes nothing, and what was typed is kept", async () => {
    answerCalls({
      [DECISION]: () => ({
        status: 422,
        body: { code: "invalid_decision", detail: "It does not fit.", fix: "Mend it." },
      }),
    });
    const { user } = await visit("/console/requests/req_1", refund);
    await user.click(await button("Reject"));
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Too much");
    await user.click(await button("Reject"));
    expect(await screen.findByRole("alert")).toHaveTextContent(/Nothing was decided.*It does not fit\..*Mend it\./);
    expect(screen.getByRole("textbox", { name: "Reason" })).toHaveValue("Too much");
  });
});

test("a decision without an answer does not claim that nothing was decided", async () => {
  answerCalls({ [DECISION]: () => new TypeError("no network") });
  const { user } = await visit("/console/requests/req_1", refund);
  await user.click(await button("Approve"));
  expect(await screen.findByRole("alert")).toHaveTextContent(
    /not known whether this was decided; trying again is safe/,
  );
  expect(await button("Approve")).toBeEnabled();
});

describe("the keyboard", () => {
  test("moves with j and k, approves with a, goes on with j", async () => {
    const calls = answerCalls({ [DECISION]: decided });
    const { user, path } = await visit("/console", refund, email);
    await screen.findByText("send_email");
    await user.keyboard("j");
    expect(path()).toBe("/console/requests/req_1");
    await user.keyboard("jk");
    expect(path()).toBe("/console/requests/req_1");
    await user.keyboard("a");
    await outcome();
    expect(calls).toHaveLength(1);
    await user.keyboard("a");
    expect(calls).toHaveLength(1);
    await user.keyboard("j");
    expect(path()).toBe("/console/requests/req_2");
  });

  test("opens the reject form with r, and is inert inside its field", async () => {
    const calls = answerCalls({});
    const { user, path } = await visit("/console/requests/req_1", refund, email);
    await button("Approve");
    await user.keyboard("r");
    await user.keyboard("jar");
    expect(screen.getByRole("textbox", { name: "Reason" })).toHaveValue("jar");
    expect(path()).toBe("/console/requests/req_1");
    expect(calls).toEqual([]);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });

  test("brings the focus to the detail with Enter", async () => {
    answerCalls({});
    const { user } = await visit("/console/requests/req_1", refund);
    await button("Approve");
    await user.keyboard("{Enter}");
    expect(screen.getByRole("heading", { level: 2 })).toHaveFocus();
  });
});
