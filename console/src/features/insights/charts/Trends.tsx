import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Group, Report } from "@/api/insights";
import classes from "@/features/insights/InsightsPage.module.css";
import { requestsIn } from "@/features/insights/links";
import { Count, useLength } from "@/features/insights/tiles/Number";
import { formatShare, formatStep } from "@/features/insights/numbers";

// The chart library is larger than the rest of the page: the figures do not wait for it.
const Charts = lazy(() => import("@/features/insights/charts/Charts"));

export interface Step {
  label: string;
  from: string;
  to: string;
  figures: Group["figures"];
}

/** How the figures changed over time: charts, and the same as a table. */
export function Trends({ report, step }: { report: Report; step: "hour" | "day" }) {
  const { t, i18n } = useTranslation();
  const steps: Step[] = report.groups.flatMap(({ from, to, figures }) =>
    from && to ? [{ label: formatStep(from, step, report.zone, i18n.language), from, to, figures }] : [],
  );
  return (
    <section className={classes.section} aria-label={t(`insights.by.${step}`)}>
      <h2>{t(`insights.by.${step}`)}</h2>
      <Suspense fallback={<div className={classes.charts} />}>
        <Charts steps={steps} own={Boolean(report.operator)} />
      </Suspense>
      <details className={classes.asTable}>
        <summary>{t("insights.asTable")}</summary>
        <TrendTable report={report} steps={steps} />
      </details>
    </section>
  );
}

function TrendTable({ report, steps }: { report: Report; steps: Step[] }) {
  const { t, i18n } = useTranslation();
  const length = useLength();
  const by = report.operator ? { decided_by: report.operator } : {};
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("insights.time")}</th>
            {!report.operator && <th scope="col">{t("insights.opened")}</th>}
            <th scope="col">{t("insights.decisions")}</th>
            {!report.operator && <th scope="col">{t("insights.expired")}</th>}
            <th scope="col">{t("insights.median")}</th>
            <th scope="col">{t("insights.p95")}</th>
            {!report.operator && <th scope="col">{t("insights.assist")}</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map((one) => {
            const { figures, label } = one;
            const { response } = figures;
            return (
              <tr key={one.from}>
                <th scope="row">{label}</th>
                {!report.operator && (
                  <td>
                    <Count value={figures.opened} to={requestsIn(one)} label={`${label} ${t("insights.opened")}`} />
                  </td>
                )}
                <td>
                  <Count
                    value={figures.decided}
                    to={requestsIn(one, { ...by, decided: true })}
                    label={`${label} ${t("insights.decisions")}`}
                  />
                </td>
                {!report.operator && (
                  <td>
                    <Count
                      value={figures.expired}
                      to={requestsIn(one, { outcome: "expired" })}
                      label={`${label} ${t("insights.expired")}`}
                    />
                  </td>
                )}
                <td>{length(response.p50, response.count)}</td>
                <td>{length(response.p95, response.count)}</td>
                {!report.operator && <td>{formatShare(figures.assist_rate ?? null, i18n.language)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
