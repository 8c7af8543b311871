import { ActionIcon, SegmentedControl } from "@mantine/core";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { KeyboardIcon } from "@/components/icons";
import { AlertSettings } from "@/features/inbox/alerts/AlertSettings";
import type { Alerts } from "@/features/inbox/alerts/useAlerts";
import { FilterMenu } from "@/features/inbox/filter/FilterMenu";
import { isFiltering } from "@/features/inbox/filter/filters";
import { countOf, type Inbox } from "@/features/inbox/live/inbox";
import classes from "@/features/inbox/list/ListHead.module.css";
import { SearchField } from "@/features/inbox/filter/SearchField";
import type { FilterInAddress } from "@/features/inbox/filter/useFilter";

interface ListHeadProps {
  inbox: Inbox;
  /** How many the filter lets through. */
  matching: number;
  filtering: FilterInAddress;
  searchField: RefObject<HTMLInputElement | null>;
  alerts: Alerts;
  onHelp: () => void;
}

export function ListHead({ inbox, matching, filtering, searchField, alerts, onHelp }: ListHeadProps) {
  const { t } = useTranslation();
  const { filter, change } = filtering;
  return (
    <header className={classes.head}>
      <div className={classes.tools}>
        <SearchField
          field={searchField}
          value={filter.q ?? ""}
          onChange={(q) => {
            change({ q });
          }}
        />
        <FilterMenu order={inbox.order} {...filtering} />
        <AlertSettings alerts={alerts} />
        <ActionIcon
          variant="default"
          size="lg"
          visibleFrom="sm"
          aria-label={t("inbox.help")}
          aria-keyshortcuts="?"
          title={t("inbox.help")}
          onClick={onHelp}
        >
          <KeyboardIcon />
        </ActionIcon>
      </div>
      <div className={classes.line}>
        <SegmentedControl
          size="xs"
          aria-label={t("inbox.filter.who")}
          data={(["", "mine", "free"] as const).map((value) => ({
            value,
            label: t(`inbox.filter.whose.${value || "all"}`),
          }))}
          value={filter.who ?? ""}
          onChange={(who) => {
            change({ who });
          }}
        />
        <Count inbox={inbox} matching={matching} filters={isFiltering(filter)} />
      </div>
    </header>
  );
}

/** How many there are: the truth when all are here, and where loading stands until then. */
function Count({ inbox, matching, filters }: { inbox: Inbox; matching: number; filters: boolean }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const total = number.format(countOf(inbox));
  return (
    <span className={classes.count} role="status">
      {inbox.loaded &&
        (filters
          ? t("inbox.countOf", { shown: number.format(matching), total })
          : t("inbox.count", { count: countOf(inbox), total }))}
      {inbox.next !== null && ` · ${t("inbox.loadingRest", { loaded: number.format(inbox.open.size) })}`}
    </span>
  );
}
