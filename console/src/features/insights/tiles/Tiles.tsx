import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DECISION_KINDS } from "@/api/decisions";
import type { Report } from "@/api/insights";
import classes from "@/features/insights/InsightsPage.module.css";
import { assistedIn, OPEN_NOW, requestsIn } from "@/features/insights/links";
import { MixTile } from "@/features/insights/tiles/MixTile";
import { Count, useLength } from "@/features/insights/tiles/Number";
import { formatShare, TARGET } from "@/features/insights/numbers";
import { Parts, Tile } from "@/features/insights/tiles/Tile";
import { formatLength } from "@/time/format";
import { useNow } from "@/time/useNow";

const FALLBACKS = ["inform", "ticket", "self_service", "none"] as const;

export function Tiles({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { total } = report;
  const link = (more = {}) => requestsIn(report, report.operator ? { decided_by: report.operator, ...more } : more);
  const everybody = !report.operator;
  return (
    <div className={classes.tiles}>
      {everybody && <AssistTile report={report} />}
      <ResponseTile report={report} link={link} />
      {everybody && <MixTile report={report} />}
      {everybody && <OpenTile report={report} />}
      <Tile
        title={t("insights.decisions")}
        value={<Count value={total.decided} to={link({ decided: true })} label={t("insights.decisions")} />}
      >
        <Parts
          parts={DECISION_KINDS.map((kind) => ({
            name: t(`insights.decision.${kind}`),
            value: (
              <Count
                value={total.decisions[kind] ?? 0}
                to={link({ outcome: kind })}
                label={t(`insights.decision.${kind}`)}
              />
            ),
          }))}
        />
      </Tile>
      {everybody && (
        <Tile
          title={t("insights.expired")}
          value={<Count value={total.expired} to={link({ outcome: "expired" })} label={t("insights.expired")} />}
        >
          <Parts
            parts={FALLBACKS.map((kind) => ({
              name: t(`insights.fallback.${kind}`),
              value: (
                <Count
                  value={total.lapses[kind] ?? 0}
                  to={link({ fallback: kind })}
                  label={t(`insights.fallback.${kind}`)}
                />
              ),
            }))}
          />
        </Tile>
      )}
      <WorkTile report={report} link={link} />
      {everybody && (
        <Tile
          title={t("insights.repeated")}
          value={<Count value={total.repeated} to={link({ repeated: true })} label={t("insights.repeated")} />}
        >
          <Parts
            parts={[
              { name: t("insights.uses"), value: <Link to="/console/knowledge">{total.uses}</Link> },
              { name: t("insights.reuses"), value: <Link to="/console/knowledge">{total.reuses}</Link> },
            ]}
          />
        </Tile>
      )}
    </div>
  );
}

function AssistTile({ report }: { report: Report }) {
  const { t, i18n } = useTranslation();
  const { total } = report;
  const rate = total.assist_rate ?? null;
  const [low, high] = TARGET.assist;
  return (
    <Tile
      title={t("insights.assist")}
      value={<Link to={assistedIn(report)}>{formatShare(rate, i18n.language)}</Link>}
      target={{ text: t("insights.assistTarget"), met: rate === null ? null : rate >= low && rate <= high }}
    >
      <Parts
        parts={[
          {
            name: t("insights.assisted"),
            value: <Count value={total.assisted} to={assistedIn(report)} label={t("insights.assisted")} />,
          },
          { name: t("insights.sessions"), value: <Link to="/console/sessions">{total.sessions}</Link> },
        ]}
      />
    </Tile>
  );
}

type LinkTo = (more?: object) => string;

function ResponseTile({ report, link }: { report: Report; link: LinkTo }) {
  const { t } = useTranslation();
  const length = useLength();
  const { response } = report.total;
  const { count, in_time, unanswered } = response;
  const met = count === 0 ? null : in_time >= TARGET.inTime * count;
  const late = count - unanswered - in_time;
  const of = (name: "in_time" | "late" | "none", value: number) => ({
    name: t(`insights.response.${name}`),
    value: <Count value={value} to={link({ response: name })} label={t(`insights.response.${name}`)} />,
  });
  return (
    <Tile
      title={t("insights.responseTime")}
      value={<Link to={link()}>{length(response.p95, count)}</Link>}
      target={{ text: t("insights.responseTarget"), met }}
    >
      <Parts
        parts={[
          { name: t("insights.median"), value: <Link to={link()}>{length(response.p50, count)}</Link> },
          of("in_time", in_time),
          of("late", late),
          of("none", unanswered),
        ]}
      />
    </Tile>
  );
}

function OpenTile({ report }: { report: Report }) {
  const { t, i18n } = useTranslation();
  const now = useNow(10_000);
  const { count, oldest_at } = report.open_now;
  const oldest = oldest_at ? formatLength(now - Date.parse(oldest_at), i18n.language) : "–";
  return (
    <Tile title={t("insights.openNow")} value={<Count value={count} to={OPEN_NOW} label={t("insights.openNow")} />}>
      <Parts parts={[{ name: t("insights.oldest"), value: <Link to={OPEN_NOW}>{oldest}</Link> }]} />
    </Tile>
  );
}

function WorkTile({ report, link }: { report: Report; link: LinkTo }) {
  const { t } = useTranslation();
  const length = useLength();
  const { quick, claimed, claim, handling } = report.total;
  const claims = report.operator ? requestsIn(report, { claimed_first_by: report.operator }) : link({ claimed: true });
  return (
    <Tile
      title={t("insights.quick")}
      value={<Count value={quick} to={link({ quick: true })} label={t("insights.quick")} />}
    >
      <Parts
        parts={[
          { name: t("insights.claimed"), value: <Count value={claimed} to={claims} label={t("insights.claimed")} /> },
          ...(report.operator
            ? []
            : [
                {
                  name: t("insights.toClaim"),
                  value: <Link to={claims}>{length(claim?.p50, claim?.count ?? 0)}</Link>,
                },
              ]),
          {
            name: t("insights.toDecide"),
            value: <Link to={link({ decided: true })}>{length(handling?.p50, handling?.count ?? 0)}</Link>,
          },
        ]}
      />
    </Tile>
  );
}
