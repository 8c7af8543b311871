import { memo, useLayoutEffect, useRef, type UIEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Connection } from "@/api/live/useEventStream";
import type { Request } from "@/api/types";
import { ConnectionBanner } from "@/components/notices/ConnectionBanner";
import { PageLoading } from "@/components/notices/PageLoading";
import classes from "@/features/inbox/context/Context.module.css";
import { Record } from "@/transcript/Record";
import { Takeover } from "@/transcript/Takeover";
import type { Transcript } from "@/transcript/transcript";

interface ConversationProps {
  request: Request;
  transcript: Transcript;
  connection: Connection;
}

const NEAR_END_PX = 80;

/** The conversation that the request comes from, live, with the way to step in. */
export const Conversation = memo(function Conversation({ request, transcript, connection }: ConversationProps) {
  const { t } = useTranslation();
  const followEnd = useFollowEnd();
  const known = transcript.lastSeq > 0;
  return (
    <section className={classes.conversation} aria-label={t("context.conversation")}>
      <h3 className={classes.heading}>
        {t("context.conversation")}
        <Link to={`/console/sessions/${encodeURIComponent(request.session_id)}`} className={classes.whole}>
          {t("context.whole")}
        </Link>
      </h3>
      {(known || connection === "down") && <ConnectionBanner connection={connection} />}
      {/* It scrolls by itself, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroller} role="region" aria-label={t("context.messages")} tabIndex={0} {...followEnd}>
        {known ? (
          <Record transcript={transcript} except={request.id} />
        ) : (
          connection !== "down" && <PageLoading label={t("context.loading")} />
        )}
      </div>
      {known && transcript.status !== "completed" && (
        <Takeover sessionId={request.session_id} takenBy={transcript.takenBy} />
      )}
    </section>
  );
});

/** Shows the newest first of all, and keeps it in view unless the reader has scrolled up. */
function useFollowEnd() {
  const ref = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  useLayoutEffect(() => {
    if (ref.current && following.current) ref.current.scrollTop = ref.current.scrollHeight;
  });
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    following.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };
  return { ref, onScroll };
}
