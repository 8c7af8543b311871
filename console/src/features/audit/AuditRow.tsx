import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AuditEvent } from "@/api/audit";
import type { Args } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { EventTitle } from "@/components/EventTitle";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/audit/Audit.module.css";
import lists from "@/lists/ListPage.module.css";
import { formatMoment } from "@/time/format";

/** The session that holds what people did outside of conversations. */
const INSTALLATION = "house";

/** One event: who, what and when at a glance, everything when it is opened. */
export function AuditRow({ event }: { event: AuditEvent }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <li className={classes.row} data-name={event.name}>
      <details
        onToggle={(toggled) => {
          setOpen(toggled.currentTarget.open);
        }}
      >
        <summary className={classes.summary}>
          <span className={classes.title}>
            <EventTitle name={event.name} />
          </span>
          <span className={classes.who}>
            {t(`actor.${event.actor.kind}`)} <PlainText text={event.actor.id} />
            {event.actor.channel && ` · ${event.actor.channel}`}
          </span>
          <span className={classes.about}>
            <PlainText text={gistWords(event)} />
          </span>
          <time className={classes.time} dateTime={event.at}>
            {formatMoment(event.at, i18n.language)}
          </time>
        </summary>
        {open && <Detail event={event} />}
      </details>
    </li>
  );
}

function Detail({ event }: { event: AuditEvent }) {
  const { t } = useTranslation();
  const change = changeIn(event);
  return (
    <div className={classes.detail}>
      <p className={lists.meta}>
        <span>{t("audit.number", { seq: event.seq, number: event.session_seq })}</span>
        {event.session_id === INSTALLATION ? (
          <span>{t("audit.installation")}</span>
        ) : (
          <Link to={`/console/sessions/${encodeURIComponent(event.session_id)}`}>{event.session_id}</Link>
        )}
        <span className={classes.hash}>{event.hash}</span>
      </p>
      {event.fact === null && <p className={classes.quiet}>{t("audit.forgotten")}</p>}
      {change && (
        <div className={classes.change}>
          <div>
            <h2>{t("audit.before")}</h2>
            <ArgumentsText args={change.before} label={t("audit.before")} />
          </div>
          <div>
            <h2>{t("audit.after")}</h2>
            <ArgumentsText args={change.after} label={t("audit.after")} />
          </div>
        </div>
      )}
      <pre className={classes.whole}>
        <PlainText text={JSON.stringify(event.fact ?? event.gist, null, 2)} />
      </pre>
    </div>
  );
}

/** What an event is about, in a few words from what remains of it even when it is forgotten. */
function gistWords({ gist }: AuditEvent): string {
  const words = ["tool", "decision", "settlement", "status", "operator_id", "key_id", "ticket"].map((key) => gist[key]);
  return words.filter((word) => typeof word === "string" || typeof word === "number").join(" · ");
}

/** The arguments before and after, where a person changed them. */
function changeIn({ fact }: AuditEvent): { before: Args; after: Args } | null {
  const request = fact?.request as { args?: Args; decision?: { type: string; args?: Args } | null } | undefined;
  if (request?.decision?.type !== "edit") return null;
  return { before: request.args ?? {}, after: request.decision.args ?? {} };
}
