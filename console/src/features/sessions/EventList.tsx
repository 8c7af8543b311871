import { useTranslation } from "react-i18next";
import type { Event } from "@/api/events";
import { EventTitle } from "@/components/EventTitle";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/sessions/SessionPage.module.css";
import { formatMoment } from "@/time/format";

/** The events as they are stored, each to open. */
export function EventList({ events }: { events: readonly Event[] }) {
  const { t, i18n } = useTranslation();
  return (
    <ol className={classes.events} aria-label={t("sessions.events")}>
      {events.map((event) => (
        <li key={event.seq} className={classes.event}>
          <details>
            <summary>
              <EventTitle name={event.fact.name} />
              <span>
                {t(`actor.${event.actor.kind}`)} <PlainText text={event.actor.id} />
              </span>
              <time dateTime={event.at}>{formatMoment(event.at, i18n.language)}</time>
            </summary>
            <pre>
              <PlainText text={JSON.stringify(event, null, 2)} />
            </pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
