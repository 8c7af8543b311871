import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PlainText } from "@/components/text/PlainText";
import type { MessageEntry } from "@/transcript/entries";
import classes from "@/transcript/Message.module.css";
import { formatMoment, formatTime } from "@/time/format";

/** Fetched when the first answer arrives: a customer who is still writing does not wait for it. */
const MarkdownText = lazy(() => import("@/components/text/MarkdownText"));

const LABEL = {
  customer: "transcript.customer",
  agent: "transcript.agent",
  operator: "transcript.operator",
  service: "transcript.service",
} as const;

interface MessageProps {
  message: MessageEntry;
  /** True for the customer, who reads their own messages as "you". */
  own?: boolean;
}

export function Message({ message, own = false }: MessageProps) {
  const { t, i18n } = useTranslation();
  const { from, purpose, text, at, state } = message;
  // A model that only calls tools says nothing in between.
  if (!text.trim()) return null;
  const whole = state === "torn" ? `${text} …` : text;
  const plain = (
    <p className={classes.text}>
      <PlainText text={whole} />
    </p>
  );
  return (
    <article className={classes.message} data-from={from} data-purpose={purpose} aria-busy={state !== "stored"}>
      <header className={classes.meta}>
        <span>{t(own && from === "customer" ? "transcript.you" : LABEL[from])}</span>
        {purpose === "ticket" && <span>{t("transcript.ticketAnswer")}</span>}
        {at && (
          <time dateTime={at} title={formatMoment(at, i18n.language)}>
            {formatTime(at, i18n.language)}
          </time>
        )}
      </header>
      {from === "agent" ? (
        <Suspense fallback={plain}>
          <MarkdownText text={whole} />
        </Suspense>
      ) : (
        plain
      )}
    </article>
  );
}
