import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isInWords } from "@/api/requestKinds";
import type { Request } from "@/api/types";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/inbox/context/Context.module.css";
import { endingOf, toneOf } from "@/features/inbox/decide/outcome/ending";
import { requestPath } from "@/features/inbox/paths";
import { headline, keyArguments } from "@/features/inbox/list/summary";
import { formatMoment } from "@/time/format";

/** What was decided before in this conversation, the newest first. */
export function EarlierDecisions({ requests, except }: { requests: readonly Request[]; except: string }) {
  const { t, i18n } = useTranslation();
  const earlier = requests.filter(({ id, status }) => id !== except && status !== "open").reverse();
  if (earlier.length === 0) return null;
  return (
    <section aria-label={t("context.earlier")}>
      <h3 className={classes.heading}>{t("context.earlier")}</h3>
      <ul className={classes.earlier}>
        {earlier.map((request) => (
          <li key={request.id}>
            <Link to={requestPath(request.id)} className={classes.decision}>
              <span className={classes.what} data-kind={request.kind}>
                <PlainText text={headline(request)} />
              </span>
              {!isInWords(request) && (
                <span className={classes.arguments}>
                  {keyArguments(request.args).map(({ name, value }) => (
                    <span key={name}>
                      {name} <PlainText text={value} />
                    </span>
                  ))}
                </span>
              )}
              <span className={classes.ending} data-tone={toneOf(request)}>
                {t(`outcome.${endingOf(request)}`)}
              </span>
              <span className={classes.by}>
                {request.decided_by && (request.decided_by.id || t(`actor.${request.decided_by.kind}`))}
                {request.decided_at && (
                  <time dateTime={request.decided_at}>{formatMoment(request.decided_at, i18n.language)}</time>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
