import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { sessionEventsUrl } from "@/api/client";
import { aRequest, aSession, aSessionEvent } from "@/testing/examples";
import { renderAt } from "@/testing/renderAt";
import { answerCalls, type Call } from "@/testing/service";
import { StreamDouble } from "@/testing/StreamDouble";

const EVENTS = sessionEventsUrl("ses_1");
const stream = () => waitFor(() => StreamDouble.at(EVENTS));
const field = () => screen.findByRole("textbox", { name: "Message" });
const log = () => screen.findByRole("log", { name: "Conversation" });
const existing = {
  "GET /api/v1/sessions/ses_1": () => ({ body: aSession() }),
  "GET /api/v1/sessions/ses_1/chat": () => ({
    body: { messages: [{ type: "waiting", request_id: "req_1", message: "", deadline: "2026-03-01T11:00:00Z" }] },
  }),
};

const receivedAs = (message_id: string) =>
  aSessionEvent(1, { name: "message.received", message_id, run_id: "r1", text: "Refund me" }, "customer");
const received = receivedAs("m1");
const messageId = (calls: Call[]) => (calls.at(-1)?.body as { message_id: string }).message_id;
const called = aSessionEvent(2, {
  name: "tool.called",
  tool_call_id: "c1",
  tool: "issue_refund",
  args: { amount: 5 },
  backstage: false,
});
const waiting = aSessionEvent(3, { name: "session.changed", status: "waiting_for_human", reason: "" });

const announced = () =>
  screen
    .getAllByRole("status", { hidden: true })
    .map(({ textContent }) => textContent)
    .join("");

describe("the first message", () => {
  test("creates the session, puts it in the address and is shown once", async () => {
    const calls = answerCalls({
      ...existing,
      "POST /api/v1/sessions": () => ({ status: 201, body: aSession() }),
      "POST /api/v1/sessions/ses_1/messages": () => ({ status: 202, body: { message_id: "m1", run_id: "r1" } }),
    });
    const { user, path } = renderAt("/");
    await user.type(await field(), "Refund me{Enter}");

    await waitFor(() => {
      expect(path()).toBe("/chat/ses_1");
    });
    expect(calls.map(({ body }) => body)).toEqual([
      { agent: "", language: "en" },
      { text: "Refund me", message_id: expect.any(String) as string },
    ]);
    (await stream()).send(receivedAs(messageId(calls)));
    expect(within(await log()).getAllByText("Refund me")).toHaveLength(1);
    expect(await field()).toHaveValue("");
  });

  test("that does not get through is kept and can be sent again", async () => {
    let reachable = false;
    answerCalls({
      ...existing,
      "POST /api/v1/sessions": () => (reachable ? { status: 201, body: aSession() } : new TypeError("no network")),
      "POST /api/v1/sessions/ses_1/messages": () => ({ status: 202, body: { message_id: "m1", run_id: "r1" } }),
    });
    const { user, path } = renderAt("/");
    await user.type(await field(), "Refund me{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Not sent yet.");

    reachable = true;
    await user.click(screen.getByRole("button", { name: "Send again" }));
    await waitFor(() => {
      expect(path()).toBe("/chat/ses_1");
    });
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });
});

describe("the composer", () => {
  test("starts a new line with Shift+Enter and sends nothing empty", async () => {
    const calls = answerCalls(existing);
    const { user } = renderAt("/");
    await user.type(await field(), "  {Enter}");
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
    await user.clear(await field());
    await user.type(await field(), "one{Shift>}{Enter}{/Shift}two");
    expect(await field()).toHaveValue("one\ntwo");
    expect(calls).toEqual([]);
  });

  test("leaves Enter to an input method that is composing", async () => {
    answerCalls(existing);
    const { user } = renderAt("/");
    await user.type(await field(), "tuikuan");
    fireEvent.keyDown(await field(), { key: "Enter", isComposing: true });
    expect(await field()).toHaveValue("tuikuan");
  });
});

describe("a conversation", () => {
  test("shows the call that waits for a person, and lets the customer write on", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    (await stream()).send(received, called, waiting);

    expect(await screen.findByText("A person is checking: issue_refund")).toBeVisible();
    expect(screen.getByRole("region", { name: "Tool call issue_refund: waiting for a person" })).toBeVisible();
    expect(await screen.findByText(/If nobody answers until then, nothing is run/)).toBeVisible();
    expect(await field()).toBeEnabled();
  });

  test("announces that a person is checking", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    (await stream()).send(received, called, waiting);
    await waitFor(() => {
      expect(announced()).toBe("A person is checking this");
    });
  });

  test("announces that it is the customer's turn to confirm, and not that a person is checking", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    const request = aRequest({ audience: "customer", tool: "issue_refund", tool_call_id: "c1" });
    const opened = aSessionEvent(3, { name: "request.opened", request });
    (await stream()).send(received, called, opened, { ...waiting, event: { ...waiting.event, session_seq: 4 } });
    await screen.findByRole("dialog", { name: "Please confirm" });
    expect(announced()).toBe("Waiting for your confirmation: issue_refund");
  });

  test("shows how a call ended and the answer once it is whole", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    const server = await stream();
    server.send(
      received,
      called,
      { type: "delta", message_id: "m2", text: "Mon" },
      { type: "delta", message_id: "m2", text: "ey" },
    );
    expect(within(await log()).getByText("Money")).toBeVisible();

    server.send(
      aSessionEvent(3, {
        name: "tool.finished",
        backstage: false,
        tool_call_id: "c1",
        tool: "issue_refund",
        status: "error",
        content: "no",
      }),
      aSessionEvent(4, { name: "message.sent", message_id: "m2", purpose: "reply", text: "Money is back." }),
    );
    expect(screen.getByRole("region", { name: "Tool call issue_refund: failed" })).toBeVisible();
    expect(within(await log()).getByText("Money is back.")).toBeVisible();
    expect(screen.queryByText("Money")).not.toBeInTheDocument();
  });

  test("that failed says so without a technical reason, and can be asked again", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    (await stream()).send(received, aSessionEvent(2, { name: "run.failed", run_id: "r1", error: "", final: true }));

    expect(await within(await log()).findByText("The agent could not finish this.")).toBeVisible();
    expect(screen.queryByText("Technical details")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Ask again" })).toBeVisible();
  });

  test("can be stopped, and then asked again", async () => {
    const calls = answerCalls({
      ...existing,
      "POST /api/v1/sessions/ses_1/stop": () => ({ body: { stopped: true } }),
      "POST /api/v1/sessions/ses_1/messages": () => ({ status: 202, body: { message_id: "m9", run_id: "r2" } }),
    });
    const { user } = renderAt("/chat/ses_1");
    const server = await stream();
    server.send(received, called);
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    server.send(aSessionEvent(3, { name: "run.stopped", run_id: "r1" }, "customer"));
    expect(screen.getByRole("region", { name: "Tool call issue_refund: stopped" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Stop" })).not.toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "Ask again" }));
    await waitFor(() => {
      expect(calls.at(-1)?.body).toMatchObject({ text: "Refund me" });
    });
  });

  test("says when the connection is lost and goes on by itself", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    const server = await stream();
    server.send(received);
    server.fail();
    expect(await screen.findByText("Connection lost. Reconnecting…")).toBeVisible();
    server.connect();
    expect(screen.queryByText("Connection lost. Reconnecting…")).not.toBeInTheDocument();
  });

  test("that does not exist says so", async () => {
    answerCalls({ "GET /api/v1/sessions/ses_9": () => ({ status: 404, body: { code: "not_found" } }) });
    renderAt("/chat/ses_9");
    expect(await screen.findByRole("heading", { name: "There is no such conversation" })).toBeVisible();
    expect(screen.getByRole("link", { name: "New conversation" })).toHaveAttribute("href", "/");
  });

  test("that has ended offers a new one instead of the composer", async () => {
    answerCalls(existing);
    renderAt("/chat/ses_1");
    (await stream()).send(received, aSessionEvent(2, { name: "session.changed", status: "completed", reason: "" }));
    expect(await screen.findByText(/This conversation has ended/)).toBeVisible();
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });
});
