import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ChatFrame, fetchStanding } from "@/api/sessions";
import { WaitingIcon } from "@/components/icons";
import { PlainText } from "@/components/text/PlainText";
import { formatLength, formatTime } from "@/time/format";
import { useNow } from "@/time/useNow";
import classes from "@/transcript/Card.module.css";

interface WaitingCardProps {
  sessionId: string | null;
  since: string;
  tools: readonly string[];
  lastSeq: number;
}

/** Tells the customer that a person has been asked, about what, since when, and what happens if nobody answers. */
export function WaitingCard({ sessionId, since, tools, lastSeq }: WaitingCardProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const standing = useQuery({
    // Another pause may have another deadline.
    queryKey: ["standing", sessionId, since, tools.length],
    queryFn: ({ signal }) => fetchStanding(sessionId ?? "", lastSeq, signal),
    enabled: sessionId !== null,
  });
  const deadline = firstDeadline(standing.data ?? []);
  return (
    <section className={classes.card} data-tone="caution" data-testid="waiting-card">
      <p className={classes.title}>
        <WaitingIcon />
        <span>
          {tools.length > 0 ? (
            <PlainText text={t("chat.waiting.titleTool", { tools: tools.join(", ") })} />
          ) : (
            t("chat.waiting.title")
          )}
        </span>
      </p>
      <p className={classes.text}>{t("chat.waiting.text")}</p>
      <p className={classes.aside}>
        {t("chat.waiting.since", { length: formatLength(now - Date.parse(since), i18n.language) })}
        {deadline && ` · ${t("chat.waiting.deadline", { time: formatTime(deadline, i18n.language) })}`}
      </p>
    </section>
  );
}

function firstDeadline(frames: readonly ChatFrame[]): string | null {
  const deadlines = frames.flatMap((frame) => (frame.type === "waiting" && frame.deadline ? [frame.deadline] : []));
  return deadlines.sort((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}
