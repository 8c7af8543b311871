import { Button, VisuallyHidden } from "@mantine/core";
import { type ReactNode, type UIEvent, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PlainText } from "@/components/text/PlainText";
import { ConfirmCard } from "@/features/chat/confirm/ConfirmCard";
import { toolNames } from "@/features/chat/confirm/toolNames";
import { lastQuestion, latestReply, openTools } from "@/features/chat/latest";
import classes from "@/features/chat/MessageLog.module.css";
import { OutgoingMessage } from "@/features/chat/OutgoingMessage";
import type { Outbox } from "@/features/chat/useOutbox";
import { WaitingCard } from "@/features/chat/WaitingCard";
import { Divider } from "@/transcript/Divider";
import type { Entry } from "@/transcript/entries";
import { FailureNote } from "@/transcript/FailureNote";
import { Message } from "@/transcript/Message";
import { ToolCard } from "@/transcript/ToolCard";
import type { Transcript } from "@/transcript/transcript";

interface MessageLogProps {
  sessionId: string | null;
  transcript: Transcript;
  outbox: Outbox;
  onReview: () => void;
}

/** How far from the end still counts as reading the newest message. */
const NEAR_END_PX = 80;

/** What an agent asks with it is between the agent and the operators. */
const ASK_TOOL = "ask_human_agent";

export function MessageLog({ sessionId, transcript, outbox, onReview }: MessageLogProps) {
  const { t } = useTranslation();
  const { entries, status, waitingSince, unfinishedRuns } = transcript;
  const waiting = status === "waiting_for_human";
  const toConfirm = transcript.requests.filter((request) => request.status === "open");
  const toCheck = openTools(entries);
  const forOperators = waiting && (toConfirm.length === 0 || toCheck.length > 0);
  const arrived = new Set(entries.map((entry) => entry.id));
  const underWay = outbox.outgoing.filter(({ id }) => !arrived.has(id));
  const followEnd = useFollowEnd();
  const streaming = entries.some((entry) => entry.kind === "message" && entry.state === "live");
  const working = unfinishedRuns.length > 0 && !waiting && !streaming && transcript.takenBy === null;

  return (
    <div className={classes.scroller} {...followEnd}>
      {/* The region below speaks for the log: a reader should hear whole messages, not every piece. */}
      <div className={classes.log} role="log" aria-live="off" aria-label={t("chat.log")}>
        {entries.map((entry, index) => (
          <LogEntry key={`${entry.kind} ${entry.id}`} entry={entry} transcript={transcript}>
            {index === entries.length - 1 && underWay.length === 0 && <AskAgain entries={entries} outbox={outbox} />}
          </LogEntry>
        ))}
        {underWay.map((message) => (
          <OutgoingMessage key={message.id} message={message} outbox={outbox} />
        ))}
        {waiting && toConfirm.length > 0 && <ConfirmCard requests={toConfirm} onReview={onReview} />}
        {forOperators && waitingSince && (
          <WaitingCard
            sessionId={sessionId}
            since={waitingSince}
            tools={toCheck.filter((tool) => tool !== ASK_TOOL)}
            lastSeq={transcript.lastSeq}
          />
        )}
        {working && (
          <p className={classes.working}>
            <span className={classes.dots} aria-hidden />
            {t("chat.working")}
          </p>
        )}
        {status === "timeout" && <p className={classes.note}>{t("chat.sessionTimeout")}</p>}
        {status === "error" && entries.at(-1)?.kind !== "failure" && (
          <p className={classes.note}>{t("chat.sessionError")}</p>
        )}
      </div>
      <VisuallyHidden role="status" aria-live="polite">
        {waiting && toConfirm.length > 0 && (
          <PlainText text={t("chat.confirm.cardTitle", { tools: toolNames(toConfirm) })} />
        )}
        {forOperators && t("chat.waiting.title")}
        {!waiting && latestReply(entries)}
      </VisuallyHidden>
    </div>
  );
}

interface LogEntryProps {
  entry: Entry;
  transcript: Transcript;
  children: ReactNode;
}

function LogEntry({ entry, transcript, children }: LogEntryProps) {
  switch (entry.kind) {
    case "message":
      // The waiting card says it, and says more.
      return entry.purpose === "waiting" ? null : <Message message={entry} own />;
    case "tool":
      return entry.tool === ASK_TOOL ? null : <ToolCard call={entry} status={transcript.status} />;
    case "failure":
      return <FailureNote failure={entry}>{children}</FailureNote>;
    case "divider":
      return (
        <>
          <Divider divider={entry} own />
          {entry.what === "stopped" && children}
        </>
      );
  }
}

function AskAgain({ entries, outbox }: { entries: readonly Entry[]; outbox: Outbox }) {
  const { t } = useTranslation();
  const question = lastQuestion(entries);
  if (question === null) return null;
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        fw={500}
        my={6}
        onClick={() => {
          outbox.send(question);
        }}
      >
        {t("chat.askAgain")}
      </Button>
    </div>
  );
}

/** Keeps the end in view while new things arrive, unless the reader has scrolled up. */
function useFollowEnd() {
  const ref = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  // After every render: each one means that something in the log has changed.
  useLayoutEffect(() => {
    if (ref.current && following.current) ref.current.scrollTop = ref.current.scrollHeight;
  });
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    following.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };
  return { ref, onScroll };
}
