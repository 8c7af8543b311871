import { useTranslation } from "react-i18next";
import classes from "@/features/inbox/detail/Deadline.module.css";
import { formatCountdown, formatMoment } from "@/time/format";

const SOON_MS = 5 * 60_000;
const NOW_OR_NEVER_MS = 60_000;

/** How long is left to decide, louder as it gets short. */
export function Deadline({ at, now }: { at: string; now: number }) {
  const { t, i18n } = useTranslation();
  const left = Date.parse(at) - now;
  const tone = left < NOW_OR_NEVER_MS ? "danger" : left < SOON_MS ? "caution" : "calm";
  return (
    <time className={classes.deadline} data-tone={tone} dateTime={at} title={formatMoment(at, i18n.language)}>
      {left > 0 ? t("inbox.deadline.in", { length: formatCountdown(left, i18n.language) }) : t("inbox.deadline.passed")}
    </time>
  );
}
