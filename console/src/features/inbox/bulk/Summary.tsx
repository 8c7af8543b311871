import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "@/features/inbox/bulk/Bulk.module.css";
import type { Result } from "@/features/inbox/bulk/together";

interface SummaryProps {
  results: ReadonlyMap<string, Result>;
  total: number;
  working: boolean;
}

const STATES = ["done", "lost", "refused", "unknown"] as const;

/** How far it is, then how it went: nobody should have to count. */
export function Summary({ results, total, working }: SummaryProps) {
  const { t } = useTranslation();
  const counts = STATES.map((state) => ({
    state,
    count: [...results.values()].filter((result) => result.state === state).length,
  })).filter(({ count }) => count > 0);
  return (
    <div>
      <p className={classes.summary} role="status">
        {working
          ? t("bulk.progress", { count: results.size, total })
          : counts.map(({ state, count }) => (
              <span key={state} className={classes.state} data-state={state}>
                {t(`bulk.counts.${state}`, { count })}
              </span>
            ))}
      </p>
      {working && <Progress value={(100 * results.size) / Math.max(1, total)} aria-label={t("bulk.working")} />}
    </div>
  );
}
