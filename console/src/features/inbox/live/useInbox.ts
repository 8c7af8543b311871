import { useEffect, useEffectEvent, useReducer, useState } from "react";
import type { LiveFrame } from "@/api/events";
import { fetchOpen } from "@/api/requests";
import type { Request } from "@/api/types";
import { type LiveConnection, useLiveFeed } from "@/api/live/useLiveFeed";
import { EMPTY_INBOX, foldInbox, type Inbox, type InboxFrame } from "@/features/inbox/live/inbox";

/** How many requests a page keeps; beyond that the most pressing ones are shown, and more are loaded when asked for. */
const MOST_KEPT = 20_000;
const AGAIN_MS = 3_000;

interface LiveInbox {
  inbox: Inbox;
  connection: LiveConnection;
  /** Tell the inbox what this page learned before the feed does. */
  settle: (...requests: Request[]) => void;
  /** Present when the inbox holds more than is kept: loads some more. */
  loadMore: (() => void) | null;
}

/** The live inbox: the feed's snapshot and events, and the rest of a long list page by page. */
export function useInbox(onLive: (frames: LiveFrame[]) => void): LiveInbox {
  const [inbox, dispatch] = useReducer(foldInbox, EMPTY_INBOX);
  const [most, setMost] = useState(MOST_KEPT);
  const connection = useLiveFeed({
    seq: inbox.loaded ? inbox.seq : null,
    onFrames: (frames) => {
      dispatch(frames);
      onLive(frames);
    },
  });
  const full = inbox.open.size >= most;
  useRest(connection === "live" && !full ? inbox.next : null, dispatch);
  return {
    inbox,
    connection,
    settle: (...requests) => {
      dispatch(requests.map((request) => ({ type: "decided", request })));
    },
    loadMore:
      full && inbox.next !== null
        ? () => {
            setMost(inbox.open.size + MOST_KEPT);
          }
        : null,
  };
}

/** Loads the page after `cursor`; folding it in brings the next cursor, and so on to the end. */
function useRest(cursor: string | null, dispatch: (frames: InboxFrame[]) => void): void {
  const [attempt, tryAgain] = useReducer((count: number) => count + 1, 0);
  const take = useEffectEvent(dispatch);
  useEffect(() => {
    if (cursor === null) return;
    let wanted = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    fetchOpen(cursor).then(
      ({ items, next_cursor }) => {
        if (wanted) take([{ type: "page", after: cursor, requests: items, next: next_cursor }]);
      },
      () => {
        if (wanted) retry = setTimeout(tryAgain, AGAIN_MS);
      },
    );
    return () => {
      wanted = false;
      clearTimeout(retry);
    };
  }, [cursor, attempt]);
}
