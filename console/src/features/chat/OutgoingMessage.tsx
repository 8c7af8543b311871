import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PlainText } from "@/components/text/PlainText";
import { useProblemWords } from "@/components/notices/useProblemWords";
import type { Outbox, Outgoing } from "@/features/chat/useOutbox";
import classes from "@/transcript/Message.module.css";

/** A message on its way to the service, or one that did not get there. */
export function OutgoingMessage({ message, outbox }: { message: Outgoing; outbox: Outbox }) {
  const { t } = useTranslation();
  const sending = message.state === "sending";
  return (
    <article className={classes.message} data-from="customer" data-sending={sending || undefined}>
      <header className={classes.meta}>
        <span>{sending ? t("chat.outgoing.sending") : t("transcript.you")}</span>
      </header>
      <p className={classes.text}>
        <PlainText text={message.text} />
      </p>
      {(message.state === "stuck" || message.state === "failed") && <NotSent message={message} outbox={outbox} />}
    </article>
  );
}

function NotSent({ message, outbox }: { message: Outgoing; outbox: Outbox }) {
  const { t } = useTranslation();
  const { what, fix } = useProblemWords(message.error);
  return (
    <div className={classes.failed} role="alert">
      {message.state === "stuck" ? t("chat.outgoing.stuck") : t("chat.outgoing.failed", { why: `${what} ${fix}` })}
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={() => {
          outbox.retry(message.id);
        }}
      >
        {t("chat.outgoing.retry")}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        c="dimmed"
        size="compact-xs"
        onClick={() => {
          outbox.discard(message.id);
        }}
      >
        {t("chat.outgoing.discard")}
      </Button>
    </div>
  );
}
