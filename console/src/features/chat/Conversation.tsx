import { Button, Group } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { fetchSession } from "@/api/client";
import { hasStatus } from "@/api/problem";
import { stopSession } from "@/api/sessions";
import { ConnectionBanner } from "@/components/notices/ConnectionBanner";
import { PlusIcon } from "@/components/icons";
import { Notice } from "@/components/notices/Notice";
import { PageLoading } from "@/components/notices/PageLoading";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import { useProblemWords } from "@/components/notices/useProblemWords";
import { Composer } from "@/features/chat/Composer";
import { useConfirmDialog } from "@/features/chat/confirm/useConfirmDialog";
import classes from "@/features/chat/Conversation.module.css";
import { MessageLog } from "@/features/chat/MessageLog";
import { useOutbox } from "@/features/chat/useOutbox";
import { useSession } from "@/features/chat/useSession";
import { Welcome } from "@/features/chat/Welcome";
import { useTranscript } from "@/transcript/useTranscript";

/** Only customers who are asked to confirm something need its form. */
const ConfirmDialog = lazy(() => import("@/features/chat/confirm/ConfirmDialog"));

interface ConversationProps {
  identity: string;
  /** Null until the customer sends the first message. */
  sessionId: string | null;
}

export function Conversation({ identity, sessionId }: ConversationProps) {
  const { t } = useTranslation();
  const session = useQuery({
    queryKey: ["session", sessionId],
    queryFn: () => fetchSession(sessionId ?? ""),
    enabled: sessionId !== null,
  });
  const { transcript, connection } = useTranscript(session.isSuccess ? sessionId : null);
  const outbox = useOutbox(useSession(identity, sessionId));
  const stop = useMutation({ mutationFn: () => stopSession(sessionId ?? "") });
  const waiting = transcript.status === "waiting_for_human";
  const toConfirm = transcript.requests.filter(({ audience, status }) => audience === "customer" && status === "open");
  const dialog = useConfirmDialog(waiting ? toConfirm : []);

  if (session.isError) return <NoSession error={session.error} onRetry={() => void session.refetch()} />;

  const quiet = outbox.outgoing.length === 0;
  const replaying = sessionId !== null && transcript.lastSeq === 0 && quiet;
  const fresh = transcript.entries.length === 0 && quiet;
  const ended = transcript.status === "completed";
  const stoppable = !ended && (waiting || transcript.unfinishedRuns.length > 0);

  return (
    <div className={classes.page}>
      <ConnectionBanner connection={connection} />
      {replaying ? (
        <div className={classes.fill}>
          <PageLoading label={t("chat.loading")} />
        </div>
      ) : fresh ? (
        <div className={classes.fill}>
          <Welcome onSend={outbox.send} />
        </div>
      ) : (
        <MessageLog sessionId={sessionId} transcript={transcript} outbox={outbox} onReview={dialog.open} />
      )}
      <div className={classes.foot}>
        {stop.isError && <ProblemAlert title={t("chat.stopFailed")} error={stop.error} />}
        {ended ? (
          <Group justify="center" gap="sm" py="sm">
            {t("chat.ended")} <NewConversation prominent />
          </Group>
        ) : (
          <Composer
            waiting={waiting}
            onSend={outbox.send}
            onStop={stoppable && !stop.isPending ? stop.mutate : undefined}
          >
            {sessionId !== null && <NewConversation />}
          </Composer>
        )}
      </div>
      {dialog.shown.length > 0 && (
        <Suspense>
          <ConfirmDialog requests={dialog.shown} onClose={dialog.close} />
        </Suspense>
      )}
    </div>
  );
}

function NoSession({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const { what, fix } = useProblemWords(error);
  // To somebody who is not its customer a conversation does not exist.
  return [401, 403, 404].some((status) => hasStatus(error, status)) ? (
    <Notice title={t("chat.missing")} text={t("chat.missingText")}>
      <NewConversation prominent />
    </Notice>
  ) : (
    <Notice alert title={t("chat.loadFailed")} text={`${what} ${fix}`}>
      <Button onClick={onRetry}>{t("chat.retry")}</Button>
    </Notice>
  );
}

function NewConversation({ prominent = false }) {
  const { t } = useTranslation();
  const look = prominent
    ? { variant: "default" }
    : { variant: "subtle", color: "gray", c: "dimmed", size: "compact-xs" };
  return (
    <Button component={Link} to="/" fw={500} leftSection={<PlusIcon />} {...look}>
      {t("chat.newConversation")}
    </Button>
  );
}
