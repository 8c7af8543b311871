import { Button, Kbd, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Served } from "@/api/requests";
import type { Me, Request } from "@/api/types";
import { Callout } from "@/components/notices/Callout";
import { PlainText } from "@/components/text/PlainText";
import { useFocusOnMount } from "@/components/useFocusOnMount";
import { type Draft, isEmpty } from "@/features/inbox/decide/drafts";
import panel from "@/features/inbox/decide/DecisionPanel.module.css";
import { endingOf, isEndedBy, toneOf } from "@/features/inbox/decide/outcome/ending";
import classes from "@/features/inbox/decide/outcome/Outcome.module.css";
import { OutcomeAnswer, Words } from "@/features/inbox/decide/outcome/OutcomeAnswer";
import { formatMoment } from "@/time/format";

interface OutcomeProps {
  request: Request;
  me: Me | undefined;
  /** This operator tried to decide and somebody was first. */
  lost: boolean;
  /** The request was settled from here, so the focus was on a button that is gone now. */
  mine: boolean;
  /** What this operator had begun and not sent. */
  draft: Draft;
  /** What became of the others, where one answer was to serve several. */
  others: readonly Served[];
  onNext: (() => void) | null;
}

/** How a request ended: what was decided, by whom, when. */
export function Outcome({ request, me, lost, mine, draft, others, onNext }: OutcomeProps) {
  const { t, i18n } = useTranslation();
  const heading = useFocusOnMount<HTMLHeadingElement>(mine);
  const { decided_by: by, decided_at: at } = request;
  const ending = endingOf(request);
  const unserved = others.filter((other) => !other.request);
  const served = others.length - unserved.length;
  return (
    <section className={panel.panel} data-settled aria-label={t("decision.label")} role="status" data-testid="outcome">
      {lost && (
        <Callout tone="caution" title={t(by?.kind === "clock" ? "outcome.lostToClock" : "outcome.lost")}>
          <p>{t(ending === "expired" || ending === "withdrawn" ? "outcome.lostNothing" : "outcome.lostText")}</p>
        </Callout>
      )}
      <div>
        <h3 ref={heading} tabIndex={-1} className={classes.title} data-tone={toneOf(request)}>
          {t(`outcome.${ending}`)}
        </h3>
        <Text size="sm" c="dimmed">
          {by && (
            <PlainText
              text={
                isEndedBy(me, request) ? t("outcome.byYou") : t("outcome.by", { who: by.id || t(`actor.${by.kind}`) })
              }
            />
          )}
          {by && at && " · "}
          {at && <time dateTime={at}>{formatMoment(at, i18n.language)}</time>}
        </Text>
      </div>
      {ending === "expired" && <p className={classes.words}>{t(`outcome.onTimeout.${request.on_timeout}`)}</p>}
      {ending === "withdrawn" && <p className={classes.words}>{t("outcome.withdrawnText")}</p>}
      {ending === "indeterminate" && mine && <p className={classes.words}>{t("outcome.settling")}</p>}
      <OutcomeAnswer request={request} />
      {served > 0 && <p className={classes.words}>{t("outcome.served", { count: served })}</p>}
      {unserved.length > 0 && (
        <Callout tone="caution" title={t("outcome.unserved", { count: unserved.length })}>
          {unserved.map((each) => (
            <p key={each.request_id}>{each.detail}</p>
          ))}
        </Callout>
      )}
      {!mine && !isEmpty(draft) && <Unsent draft={draft} />}
      {onNext && (
        <div>
          <Button
            variant="default"
            onClick={onNext}
            aria-keyshortcuts="j"
            rightSection={
              <Kbd size="xs" aria-hidden>
                j
              </Kbd>
            }
          >
            {t("outcome.next")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** What was typed when somebody else, or the clock, was quicker: to copy, not to lose. */
function Unsent({ draft }: { draft: Draft }) {
  const { t } = useTranslation();
  const text = [draft.reason, draft.text, draft.editor ? JSON.stringify(draft.editor.value, null, 2) : ""];
  const shown = text.filter((each) => each.trim()).join("\n");
  return shown ? <Words label={t("outcome.unsent")} text={shown} /> : null;
}
