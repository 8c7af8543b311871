import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DECISION_KINDS } from "@/api/decisions";
import type { Group, RangeQuery, Report, RequestQuery } from "@/api/insights";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/insights/InsightsPage.module.css";
import { requestsIn } from "@/features/insights/links";
import { Count, useLength } from "@/features/insights/tiles/Number";
import { TYPES } from "@/features/insights/numbers";
import { useInsights } from "@/features/insights/useInsights";

/** The same numbers by type, tool and operator, and what people changed most. */
export function Tables({ range, report }: { range: RangeQuery; report: Report }) {
  const { t } = useTranslation();
  return (
    <>
      <Dimension
        by="type"
        range={range}
        of={(name) => ({ question_type: TYPES.find((type) => type === name) ?? null })}
      />
      <Dimension by="tool" range={range} of={(name) => ({ tool: name })} />
      <Operators range={range} />
      {report.fields.length > 0 && (
        <Section title={t("insights.fields")} head={[t("insights.tool"), t("insights.field"), t("insights.edits")]}>
          {report.fields.map(({ tool, field, edits }) => (
            <tr key={`${tool} ${field}`}>
              <th scope="row">
                <PlainText text={tool} />
              </th>
              <td>
                <PlainText text={field} />
              </td>
              <td>
                <Count value={edits} to={requestsIn(report, { tool, edited: field })} label={`${tool} ${field}`} />
              </td>
            </tr>
          ))}
        </Section>
      )}
    </>
  );
}

interface DimensionProps {
  by: "type" | "tool";
  range: RangeQuery;
  of: (name: string) => RequestQuery;
}

function Dimension({ by, range, of }: DimensionProps) {
  const { t } = useTranslation();
  const length = useLength();
  const report = useInsights(range, by, false).data;
  if (!report) return null;
  const name = (group: Group) => {
    const type = TYPES.find((one) => one === group.name);
    return by === "type" && type ? t(`insights.type.${type}`) : group.name || t("insights.question");
  };
  return (
    <Section
      title={t(`insights.by.${by}`)}
      head={[
        t(`insights.${by === "type" ? "byType" : "tool"}`),
        t("insights.opened"),
        ...DECISION_KINDS.map((kind) => t(`insights.decision.${kind}`)),
        t("insights.expired"),
        t("insights.p95"),
      ]}
    >
      {report.groups.map((group) => {
        const { figures } = group;
        const link = (more: RequestQuery = {}) => requestsIn(report, { ...of(group.name), ...more });
        const label = (what: string) => `${name(group)} ${what}`;
        return (
          <tr key={group.name}>
            <th scope="row">
              <PlainText text={name(group)} />
            </th>
            <td>
              <Count value={figures.opened} to={link()} label={label(t("insights.opened"))} />
            </td>
            {DECISION_KINDS.map((kind) => (
              <td key={kind}>
                <Count
                  value={figures.decisions[kind] ?? 0}
                  to={link({ outcome: kind })}
                  label={label(t(`insights.decision.${kind}`))}
                />
              </td>
            ))}
            <td>
              <Count value={figures.expired} to={link({ outcome: "expired" })} label={label(t("insights.expired"))} />
            </td>
            <td>
              <Link to={link()}>{length(figures.response.p95, figures.response.count)}</Link>
            </td>
          </tr>
        );
      })}
    </Section>
  );
}

function Operators({ range }: { range: RangeQuery }) {
  const { t } = useTranslation();
  const length = useLength();
  const report = useInsights(range, "operator", false).data;
  if (!report || report.groups.length === 0) return null;
  return (
    <Section
      title={t("insights.by.operator")}
      head={[
        t("insights.operator"),
        t("insights.claimed"),
        t("insights.decisions"),
        t("insights.quick"),
        t("insights.median"),
        t("insights.toDecide"),
      ]}
    >
      {report.groups.map(({ name, figures }) => {
        const decided = requestsIn(report, { decided_by: name });
        const label = (what: string) => `${name} ${what}`;
        return (
          <tr key={name}>
            <th scope="row">
              <PlainText text={name} />
            </th>
            <td>
              <Count
                value={figures.claimed}
                to={requestsIn(report, { claimed_first_by: name })}
                label={label(t("insights.claimed"))}
              />
            </td>
            <td>
              <Count value={figures.decided} to={decided} label={label(t("insights.decisions"))} />
            </td>
            <td>
              <Count
                value={figures.quick}
                to={requestsIn(report, { decided_by: name, quick: true })}
                label={label(t("insights.quick"))}
              />
            </td>
            <td>
              <Link to={decided}>{length(figures.response.p50, figures.response.count)}</Link>
            </td>
            <td>
              <Link to={decided}>{length(figures.handling?.p50, figures.handling?.count ?? 0)}</Link>
            </td>
          </tr>
        );
      })}
    </Section>
  );
}

function Section({ title, head, children }: { title: string; head: string[]; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}
