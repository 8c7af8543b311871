import { describe, expect, test } from "vitest";
import type { LiveFrame } from "@/api/events";
import { arrivalsIn } from "@/features/inbox/alerts/arrivals";
import { iconWithCount } from "@/features/inbox/alerts/icon";
import { rememberChoice, rememberedChoice } from "@/features/inbox/alerts/settings";
import { aRequest, aRequestEvent, approvedBy, aSnapshot } from "@/testing/examples";

const request = aRequest();
const by = (frame: ReturnType<typeof aRequestEvent>, id: string): LiveFrame => ({
  ...frame,
  event: { ...frame.event, actor: { kind: "operator", id, channel: "console" } },
});
const opened = aRequestEvent(11, "request.opened", request);

describe("what is told", () => {
  test("is what was opened or is nearly due", () => {
    expect(arrivalsIn([opened, aRequestEvent(12, "request.reminded", request)], "ada")).toEqual({
      opened: [request],
      due: [request],
    });
  });

  test("is never what one did oneself, but is what another did", () => {
    expect(arrivalsIn([by(opened, "ada")], "ada").opened).toEqual([]);
    expect(arrivalsIn([by(opened, "bob")], "ada").opened).toEqual([request]);
  });

  test("is neither what a snapshot repeats, nor what is settled by now, nor a claim", () => {
    const decided = aRequestEvent(12, "request.decided", approvedBy("bob", request));
    expect(arrivalsIn([aSnapshot(10, [request])], "ada").opened).toEqual([]);
    expect(arrivalsIn([opened, decided], "ada").opened).toEqual([]);
    expect(arrivalsIn([aRequestEvent(11, "request.claimed", request)], "ada")).toEqual({ opened: [], due: [] });
  });
});

test("a choice is remembered, and nothing is chosen at first or when the memory makes no sense", () => {
  expect(rememberedChoice()).toEqual({ sound: false, desktop: false });
  rememberChoice({ sound: true, desktop: false });
  expect(rememberedChoice()).toEqual({ sound: true, desktop: false });
  localStorage.setItem("handraise.alerts", "null");
  expect(rememberedChoice()).toEqual({ sound: false, desktop: false });
});

test("the icon carries the count, as long as it can be read", () => {
  expect(decodeURIComponent(iconWithCount(7))).toContain(">7</text>");
  expect(decodeURIComponent(iconWithCount(1234))).toContain(">99+</text>");
});
