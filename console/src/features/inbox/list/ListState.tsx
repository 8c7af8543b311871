import { Button, Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { LiveConnection } from "@/api/live/useLiveFeed";
import { Notice } from "@/components/notices/Notice";
import classes from "@/features/inbox/list/RequestList.module.css";

interface ListStateProps {
  loaded: boolean;
  connection: LiveConnection;
  /** How many are open, whatever the filter says. */
  open: number;
  onClear: () => void;
}

/** In place of the rows when there are none: not loaded, not reachable, nothing open, or nothing that matches. */
export function ListState({ loaded, connection, open, onClear }: ListStateProps) {
  const { t } = useTranslation();
  if (!loaded) {
    return connection === "down" ? (
      <Notice alert title={t("inbox.unreachable")} text={t("inbox.unreachableText")} />
    ) : (
      <div className={classes.loading} role="status" aria-label={t("inbox.loading")}>
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} height={42} />
        ))}
      </div>
    );
  }
  if (open === 0) return <Notice title={t("inbox.empty")} text={t("inbox.emptyText")} />;
  return (
    <Notice title={t("inbox.noMatch")} text={t("inbox.noMatchText", { count: open })}>
      <Button variant="default" onClick={onClear}>
        {t("inbox.filter.clear")}
      </Button>
    </Notice>
  );
}
