import { useReducer } from "react";
import { sessionEventsUrl } from "@/api/client";
import type { Event, SessionFrame } from "@/api/events";
import { type Connection, useEventStream } from "@/api/live/useEventStream";
import { EMPTY_TRANSCRIPT, foldTranscript, type Transcript, type TranscriptAction } from "@/transcript/transcript";

interface Followed {
  transcript: Transcript;
  events: readonly Event[];
}

/** Follows one session, and keeps its events as they came beside what they mean. */
export function useSessionEvents(sessionId: string | null): Followed & { connection: Connection } {
  const [followed, dispatch] = useReducer(follow, { transcript: EMPTY_TRANSCRIPT, events: [] });
  const connection = useEventStream<SessionFrame>(sessionId === null ? null : sessionEventsUrl(sessionId), {
    onFrame: dispatch,
    onLost: () => {
      dispatch({ type: "lost" });
    },
  });
  return { ...followed, connection };
}

function follow({ transcript, events }: Followed, action: TranscriptAction): Followed {
  const isNew = action.type === "event" && action.event.session_seq > transcript.lastSeq;
  return { transcript: foldTranscript(transcript, action), events: isNew ? [...events, action.event] : events };
}
