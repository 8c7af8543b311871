import { Button, Kbd } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/inbox/decide/Presence.module.css";
import type { Claim } from "@/features/inbox/decide/useClaim";
import { formatCountdown, formatMoment } from "@/time/format";
import { useNow } from "@/time/useNow";

/** Who is on it and until when; and the way to keep it for oneself. */
export function Presence({ claim }: { claim: Claim }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const left = formatCountdown(claim.until ? Date.parse(claim.until) - now : 0, i18n.language);
  const button = (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      c="dimmed"
      loading={claim.busy}
      aria-keyshortcuts="c"
      rightSection={<Kbd size="xs">c</Kbd>}
      onClick={claim.toggle}
    >
      {t(claim.mine ? "claim.release" : "claim.take")}
    </Button>
  );
  if (claim.by !== null) {
    return (
      <div className={classes.presence} data-by="other" role="status">
        <p className={classes.words}>
          <strong>
            <PlainText text={t("claim.other", { who: claim.by })} />
          </strong>{" "}
          {claim.until && (
            <time dateTime={claim.until}>{t("claim.until", { time: formatMoment(claim.until, i18n.language) })}</time>
          )}
        </p>
        <p className={classes.hint} aria-live="off">
          {t("claim.otherHint", { left })}
        </p>
      </div>
    );
  }
  return (
    <div className={classes.presence} data-by={claim.mine ? "me" : "nobody"}>
      <p className={classes.words}>{claim.mine ? t("claim.mine", { left }) : t("claim.nobody")}</p>
      {button}
    </div>
  );
}
