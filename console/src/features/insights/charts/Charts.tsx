import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import classes from "@/features/insights/InsightsPage.module.css";
import { formatCount, formatSeconds, formatShare, TARGET } from "@/features/insights/numbers";
import type { Step } from "@/features/insights/charts/Trends";

const HEIGHT = 220;
const INK = "var(--mantine-color-dimmed)";

/** The charts. What they show is in the table below them, so screen readers pass them by. */
export default function Charts({ steps, own }: { steps: Step[]; own: boolean }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const rows = steps.map(({ label, figures }) => ({
    label,
    decided: figures.decided,
    expired: figures.expired,
    rest: Math.max(0, figures.opened - figures.decided - figures.expired),
    p50: figures.response.p50 ?? null,
    p95: figures.response.p95 ?? null,
    rate: figures.assist_rate ?? null,
  }));
  const count = (value: unknown) => formatCount(Number(value), language);
  const seconds = (value: unknown) => formatSeconds(Number(value), language);
  const share = (value: unknown) => formatShare(Number(value), language);
  const [low, high] = TARGET.assist;
  return (
    <div className={classes.charts} aria-hidden="true">
      <Chart title={t("insights.chart.requests")}>
        <ComposedChart data={rows} accessibilityLayer={false}>
          {axes(count, 1)}
          <Bar
            dataKey="decided"
            stackId="all"
            name={t("insights.decisions")}
            fill="var(--chart-one)"
            isAnimationActive={false}
          />
          <Bar
            dataKey="expired"
            stackId="all"
            name={t("insights.expired")}
            fill="var(--chart-two)"
            isAnimationActive={false}
          />
          {!own && (
            <Bar
              dataKey="rest"
              stackId="all"
              name={t("insights.rest")}
              fill="var(--chart-three)"
              isAnimationActive={false}
            />
          )}
        </ComposedChart>
      </Chart>
      <Chart title={t("insights.chart.response")}>
        <ComposedChart data={rows} accessibilityLayer={false}>
          {axes(seconds, TARGET.responseSeconds)}
          <ReferenceLine y={TARGET.responseSeconds} stroke="var(--chart-two)" strokeDasharray="6 4" />
          <Line
            dataKey="p95"
            name={t("insights.p95")}
            stroke="var(--chart-one)"
            strokeWidth={2}
            dot={{ r: 2 }}
            isAnimationActive={false}
          />
          <Line
            dataKey="p50"
            name={t("insights.median")}
            stroke="var(--chart-three)"
            strokeWidth={2}
            dot={{ r: 2 }}
            isAnimationActive={false}
          />
        </ComposedChart>
      </Chart>
      {!own && (
        <Chart title={t("insights.chart.assist")}>
          <ComposedChart data={rows} accessibilityLayer={false}>
            {axes(share, high)}
            <ReferenceArea y1={low} y2={high} fill="var(--chart-band)" fillOpacity={0.5} />
            <Area
              dataKey="rate"
              name={t("insights.assist")}
              stroke="var(--chart-one)"
              fill="var(--chart-one)"
              fillOpacity={0.15}
              isAnimationActive={false}
            />
          </ComposedChart>
        </Chart>
      )}
    </div>
  );
}

function Chart({ title, children }: { title: string; children: ReactElement }) {
  return (
    <figure className={classes.chart}>
      <figcaption>{title}</figcaption>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        {children}
      </ResponsiveContainer>
    </figure>
  );
}

/** The axes; `least` is what the vertical one shows at least, so that a target is always in sight. */
function axes(format: (value: unknown) => string, least: number) {
  return [
    <CartesianGrid key="grid" stroke="var(--line)" vertical={false} />,
    <XAxis key="x" dataKey="label" tick={{ fill: INK, fontSize: 12 }} stroke="var(--line)" minTickGap={24} />,
    <YAxis
      key="y"
      tick={{ fill: INK, fontSize: 12 }}
      stroke="var(--line)"
      width={56}
      tickFormatter={format}
      domain={[0, (most: number) => Math.max(most, least)]}
    />,
    <Tooltip
      key="tip"
      formatter={format}
      contentStyle={{ background: "var(--surface)", border: "1px solid var(--line)", color: "inherit" }}
    />,
    <Legend key="legend" wrapperStyle={{ fontSize: 12 }} />,
  ];
}
