import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Session } from "@/api/types";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/sessions/SessionRow.module.css";
import { formatLength, formatMoment } from "@/time/format";
import { useNow } from "@/time/useNow";

/** One conversation in the list. */
export function SessionRow({ session }: { session: Session }) {
  const { t, i18n } = useTranslation();
  const now = useNow(10_000);
  return (
    <li>
      <Link to={`/console/sessions/${encodeURIComponent(session.id)}`} className={classes.row}>
        <span className={classes.id}>{session.id}</span>
        <span className={classes.facts}>
          <span data-status={session.status} className={classes.status}>
            {t(`sessions.is.${session.status}`)}
          </span>
          <span>
            <PlainText text={session.agent} />
          </span>
          {session.customer && (
            <span>
              <PlainText text={session.customer} />
            </span>
          )}
          {session.taken_by && <span>{t("sessions.with", { who: session.taken_by })}</span>}
          <time dateTime={session.updated_at} title={formatMoment(session.updated_at, i18n.language)}>
            {t("sessions.ago", { length: formatLength(now - Date.parse(session.updated_at), i18n.language) })}
          </time>
        </span>
      </Link>
    </li>
  );
}
