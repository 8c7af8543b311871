import { describe, expect, test } from "vitest";
import type { Fact, SessionFrame } from "@/api/events";
import type { MessageEntry } from "@/transcript/entries";
import { EMPTY_TRANSCRIPT, foldTranscript, type TranscriptAction } from "@/transcript/transcript";
import { aRequest, aRequestEvent, aSessionEvent, approvedBy, AT } from "@/testing/examples";

const fold = (...actions: TranscriptAction[]) => actions.reduce(foldTranscript, EMPTY_TRANSCRIPT);
const delta = (text: string, message_id = "m2") => ({ type: "delta" as const, message_id, text });
const sent = (text: string): Fact => ({ name: "message.sent", message_id: "m2", purpose: "reply", text });
const called: Fact = { name: "tool.called", tool_call_id: "c1", tool: "refund", args: { amount: 5 }, backstage: false };

const STORY: [SessionFrame, SessionFrame, ...SessionFrame[]] = [
  aSessionEvent(1, { name: "message.received", message_id: "m1", run_id: "r1", text: "Hello" }, "customer"),
  aSessionEvent(2, called),
  aSessionEvent(3, { name: "session.changed", status: "waiting_for_human", reason: "" }),
  aSessionEvent(4, { name: "session.changed", status: "active", reason: "" }),
  aSessionEvent(5, {
    name: "tool.finished",
    tool_call_id: "c1",
    tool: "refund",
    status: "success",
    content: "ok",
    backstage: false,
  }),
  aSessionEvent(6, sent("Done.")),
  aSessionEvent(7, { name: "run.finished", run_id: "r1" }),
];

describe("the transcript", () => {
  test("tells a whole run in the order it happened", () => {
    const { entries, status, unfinishedRuns } = fold(...STORY);
    expect(entries.map((entry) => entry.kind)).toEqual(["message", "tool", "message"]);
    expect(entries[1]).toMatchObject({ state: "success", args: { amount: 5 }, content: "ok" });
    expect(status).toBe("active");
    expect(unfinishedRuns).toEqual([]);
  });

  test("is the same when a reconnection replays events", () => {
    expect(fold(...STORY, ...STORY)).toEqual(fold(...STORY));
    expect(fold(...STORY.slice(0, 4), ...STORY)).toEqual(fold(...STORY));
  });

  test("says since when the session waits, and forgets it afterwards", () => {
    expect(fold(...STORY.slice(0, 3))).toMatchObject({ status: "waiting_for_human", waitingSince: AT });
    expect(fold(...STORY.slice(0, 4)).waitingSince).toBeNull();
  });

  test("counts a run as unfinished until it ends", () => {
    expect(fold(...STORY.slice(0, 6)).unfinishedRuns).toEqual(["r1"]);
    expect(fold(...STORY).unfinishedRuns).toEqual([]);
  });

  test("shows a run that failed for good, and not one that is tried again", () => {
    const failed = (final: boolean): Fact => ({ name: "run.failed", run_id: "r1", error: "boom", final });
    const again = fold(...STORY.slice(0, 2), aSessionEvent(3, failed(false)));
    const forGood = fold(...STORY.slice(0, 2), aSessionEvent(3, failed(true)));
    expect(again.unfinishedRuns).toEqual(["r1"]);
    expect(forGood.entries.at(-1)).toMatchObject({ kind: "failure", error: "boom" });
    expect(forGood.unfinishedRuns).toEqual([]);
  });

  test("names an operator's message as a person's", () => {
    const { entries } = fold(aSessionEvent(1, sent("I am Ada."), "operator"));
    expect(entries[0]).toMatchObject({ from: "operator" });
  });

  test("draws a line where the conversation changes hands, and knows who has it", () => {
    const taken = aSessionEvent(1, { name: "session.taken", operator: "ada" }, "operator");
    const returned = aSessionEvent(2, { name: "session.returned", operator: "ada" }, "operator");
    const handed = aSessionEvent(3, { name: "handoff.made", source: "sales", target: "support" });
    expect(fold(taken).takenBy).toBe("ada");
    const { entries, agent, takenBy } = fold(taken, returned, handed);
    expect(entries).toMatchObject([{ what: "taken" }, { what: "returned" }, { what: "handoff", who: "support" }]);
    expect({ agent, takenBy }).toEqual({ agent: "support", takenBy: null });
  });

  test("ends what was stopped, with the calls that were open", () => {
    const stopped = fold(...STORY.slice(0, 3), aSessionEvent(4, { name: "run.stopped", run_id: "r1" }, "customer"));
    expect(stopped.unfinishedRuns).toEqual([]);
    expect(stopped.entries).toMatchObject([{ kind: "message" }, { state: "stopped" }, { what: "stopped" }]);
  });

  test("keeps a request beside its call, as it is now", () => {
    const request = aRequest({ tool_call_id: "c1", audience: "customer" });
    const opened = fold(STORY[0], STORY[1], aRequestEvent(3, "request.opened", request));
    expect(opened.entries[1]).toMatchObject({ request: { status: "open" } });
    const decided = fold(
      STORY[0],
      STORY[1],
      aRequestEvent(3, "request.opened", request),
      aRequestEvent(4, "request.decided", approvedBy("", request)),
    );
    expect(decided.entries[1]).toMatchObject({ request: { status: "decided" } });
    expect(decided.requests).toHaveLength(1);
  });

  test("leaves out facts it does not know", () => {
    const unknown = { name: "weather.changed" } as unknown as Fact;
    expect(fold(...STORY, aSessionEvent(8, unknown)).entries).toEqual(fold(...STORY).entries);
  });
});

describe("a message that is being written", () => {
  const only = (...actions: TranscriptAction[]) => fold(...actions).entries[0] as MessageEntry;

  test("grows piece by piece and is replaced by the stored one", () => {
    expect(only(delta("Do"), delta("ne"))).toMatchObject({ text: "Done", state: "live" });
    expect(only(delta("Do"), delta("ne"), aSessionEvent(1, sent("Done.")))).toMatchObject({
      text: "Done.",
      state: "stored",
    });
  });

  test("ignores pieces that arrive after the stored one", () => {
    expect(only(aSessionEvent(1, sent("Done.")), delta("ne")).text).toBe("Done.");
  });

  test("takes no more pieces after the connection broke, for some are missing", () => {
    expect(only(delta("Do"), { type: "lost" }, delta("!"))).toMatchObject({ text: "Do", state: "torn" });
  });
});
