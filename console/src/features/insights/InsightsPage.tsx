import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { csvUrl } from "@/api/insights";
import { useMe } from "@/api/useMe";
import { Notice } from "@/components/notices/Notice";
import { PageLoading } from "@/components/notices/PageLoading";
import { usePageTitle } from "@/components/usePageTitle";
import classes from "@/features/insights/InsightsPage.module.css";
import "@/features/insights/print.css";
import { RangeControls } from "@/features/insights/RangeControls";
import { queryOf, rangeOf, stepOf } from "@/features/insights/range";
import { Tables } from "@/features/insights/charts/Tables";
import { Tiles } from "@/features/insights/tiles/Tiles";
import { Trends } from "@/features/insights/charts/Trends";
import { useInsights } from "@/features/insights/useInsights";
import { QueryProblem } from "@/lists/QueryProblem";
import { useAddress } from "@/lists/useAddress";

/** How people and agents work together, in figures; every figure leads to the requests that it counts. */
export function InsightsPage() {
  const { t } = useTranslation();
  usePageTitle(t("insights.title"));
  const me = useMe().data;
  const own = me ? me.role === "operator" : undefined;
  const [opened] = useState(() => Date.now());
  const [search, change] = useAddress();
  const range = rangeOf(search, opened);
  const step = stepOf(range);
  const query = queryOf(range);
  const told = useInsights(query, step, own);
  const report = told.data;
  const isEmpty = report && !report.total.opened && !report.total.sessions && !report.total.decided;

  return (
    <div className={classes.page} data-printable>
      <div className={classes.head}>
        <div>
          <Title order={1} size="h3">
            {own ? t("insights.titleOwn") : t("insights.title")}
          </Title>
          <p className={classes.range}>
            {t("insights.range", { first: range.first, last: range.last, zone: range.zone })}
          </p>
        </div>
        <RangeControls
          range={range}
          onChange={(changes) => {
            change((now) => changes(rangeOf(now, opened)));
          }}
        />
        <div className={classes.actions} data-controls>
          {own === false && (
            <Button component="a" variant="default" href={csvUrl(query, step)} download>
              {t("insights.csv")}
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => {
              window.print();
            }}
          >
            {t("insights.print")}
          </Button>
        </div>
      </div>
      {told.error && !report ? (
        <QueryProblem error={told.error} onRetry={() => void told.refetch()} />
      ) : !report ? (
        <PageLoading />
      ) : isEmpty ? (
        <Notice title={t("insights.empty")} text={t("insights.emptyText")} />
      ) : (
        <>
          <Tiles report={report} />
          <Trends report={report} step={step} />
          {own === false && <Tables range={query} report={report} />}
        </>
      )}
    </div>
  );
}
