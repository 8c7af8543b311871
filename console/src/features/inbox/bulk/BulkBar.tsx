import { ActionIcon, Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CloseIcon } from "@/components/icons";
import classes from "@/features/inbox/bulk/Bulk.module.css";
import { MOST_AT_ONCE } from "@/features/inbox/bulk/marks";

interface BulkBarProps {
  count: number;
  onAlike: () => void;
  onDecide: () => void;
  onClear: () => void;
}

/** What can be done with the marked requests; it takes the place of the list's foot. */
export function BulkBar({ count, onAlike, onDecide, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  return (
    <footer className={classes.bar} aria-label={t("bulk.label")}>
      <span className={classes.marked} role="status">
        {t(count >= MOST_AT_ONCE ? "bulk.most" : "bulk.marked", { count })}
      </span>
      <Button variant="default" size="xs" aria-keyshortcuts="Shift+X" onClick={onAlike}>
        {t("bulk.alike")}
      </Button>
      <Button size="xs" aria-keyshortcuts="Shift+Enter" onClick={onDecide}>
        {t("bulk.decide")}
      </Button>
      <ActionIcon variant="subtle" color="gray" c="dimmed" aria-label={t("bulk.clear")} onClick={onClear}>
        <CloseIcon />
      </ActionIcon>
    </footer>
  );
}
