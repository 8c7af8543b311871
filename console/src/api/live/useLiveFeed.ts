import { useEffect, useEffectEvent, useState } from "react";
import { fetchMe } from "@/api/client";
import type { LiveFrame } from "@/api/events";
import type { Connection } from "@/api/live/useEventStream";
import { isOperator } from "@/api/useMe";

/** As any stream's connection, and two ways in which trying again is of no use. */
export type LiveConnection = Connection | "signedOut" | "forbidden";

export const LIVE_PATH = "/api/v1/live/ws";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** The service says something at least every 15 seconds; a socket that is silent for longer is dead. */
const SILENCE_MS = 40_000;
/** Frames that come together are handed on together. */
const GATHER_MS = 16;

interface Listener {
  /** The number of the last event that is known, or null before the first snapshot. */
  seq: number | null;
  onFrames: (frames: LiveFrame[]) => void;
}

/** Follows the inbox's feed for as long as the component lives: snapshot, events, and on from its cursor after a break. */
export function useLiveFeed({ seq, onFrames }: Listener): LiveConnection {
  const [connection, setConnection] = useState<LiveConnection>("connecting");
  const hand = useEffectEvent(onFrames);
  const cursor = useEffectEvent(() => seq);

  useEffect(() => {
    let socket: WebSocket | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let gathered: LiveFrame[] = [];
    let wait = FIRST_RETRY_MS;
    let stopped = false;

    const flush = () => {
      clearTimeout(gathering);
      gathering = undefined;
      const frames = gathered;
      gathered = [];
      if (frames.length > 0) hand(frames);
    };
    const open = () => {
      clearTimeout(retry);
      const after = cursor();
      const opened = new WebSocket(socketUrl(after));
      socket = opened;
      opened.onopen = () => {
        wait = FIRST_RETRY_MS;
        setConnection("live");
        listenForSilence();
      };
      opened.onmessage = (message: MessageEvent<string>) => {
        listenForSilence();
        gathered.push(JSON.parse(message.data) as LiveFrame);
        gathering ??= setTimeout(flush, GATHER_MS);
      };
      opened.onclose = () => {
        if (socket === opened) lose();
      };
    };
    const lose = () => {
      socket = null;
      clearTimeout(watchdog);
      // The cursor must not lag behind what has arrived.
      flush();
      setConnection("down");
      void askWhy();
    };
    /** A browser is not told why a socket was refused, so the page asks who it is: nobody need not try again. */
    const askWhy = async () => {
      const reason = await whyNot();
      if (stopped || socket) return;
      if (reason !== null) {
        setConnection(reason);
        return;
      }
      // Not all at the same moment, when a service comes back to many pages.
      retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LAST_RETRY_MS);
    };
    const listenForSilence = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        const dead = socket;
        lose();
        dead?.close();
      }, SILENCE_MS);
    };
    /** Somebody is back at this page: find out now, not after the longest wait. */
    const hurry = () => {
      if (socket || stopped || document.hidden) return;
      clearTimeout(retry);
      wait = FIRST_RETRY_MS;
      void askWhy();
    };

    open();
    window.addEventListener("online", hurry);
    window.addEventListener("focus", hurry);
    document.addEventListener("visibilitychange", hurry);
    return () => {
      stopped = true;
      window.removeEventListener("online", hurry);
      window.removeEventListener("focus", hurry);
      document.removeEventListener("visibilitychange", hurry);
      for (const timer of [retry, watchdog, gathering]) clearTimeout(timer);
      socket?.close();
      socket = null;
    };
  }, []);

  return connection;
}

function socketUrl(after: number | null): string {
  const url = new URL(LIVE_PATH, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (after !== null) url.searchParams.set("after", String(after));
  return url.href;
}

async function whyNot(): Promise<"signedOut" | "forbidden" | null> {
  try {
    const me = await fetchMe();
    if (isOperator(me)) return null;
    return me.role === "service" ? "forbidden" : "signedOut";
  } catch {
    // No answer is no refusal.
    return null;
  }
}
