import { useReducer } from "react";
import { sessionEventsUrl } from "@/api/client";
import type { SessionFrame } from "@/api/events";
import { type Connection, useEventStream } from "@/api/live/useEventStream";
import { EMPTY_TRANSCRIPT, foldTranscript, type Transcript } from "@/transcript/transcript";

/** Follows one session live. Mount it once per session (by `key`): it starts empty and reads from the first event. */
export function useTranscript(sessionId: string | null): { transcript: Transcript; connection: Connection } {
  const [transcript, dispatch] = useReducer(foldTranscript, EMPTY_TRANSCRIPT);
  const connection = useEventStream<SessionFrame>(sessionId === null ? null : sessionEventsUrl(sessionId), {
    onFrame: dispatch,
    onLost: () => {
      dispatch({ type: "lost" });
    },
  });
  return { transcript, connection };
}
