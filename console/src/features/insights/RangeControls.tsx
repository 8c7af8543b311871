import { NativeSelect, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import classes from "@/features/insights/InsightsPage.module.css";
import { LENGTHS, zones, type ChosenRange } from "@/features/insights/range";
import type { AddressChanges } from "@/lists/useAddress";

interface RangeControlsProps {
  range: ChosenRange;
  /** Told what to change in the range that is chosen by then. */
  onChange: (changes: (now: ChosenRange) => AddressChanges) => void;
}

/** Which days, and whose clocks. */
export function RangeControls({ range, onChange }: RangeControlsProps) {
  const { t } = useTranslation();
  const listed = useMemo(() => zones(range.zone), [range.zone]);
  return (
    <div className={classes.controls} data-controls>
      <NativeSelect
        label={t("insights.last")}
        value={range.days === null ? "" : String(range.days)}
        onChange={(event) => {
          const days = event.currentTarget.value;
          onChange(() => ({ days, from: "", to: "" }));
        }}
        data={[
          ...(range.days === null ? [{ value: "", label: t("insights.chosen") }] : []),
          ...LENGTHS.map((days) => ({ value: String(days), label: t("insights.days", { count: days }) })),
        ]}
      />
      <TextInput
        type="date"
        label={t("insights.from")}
        value={range.first}
        max={range.last}
        onChange={(event) => {
          const from = event.currentTarget.value;
          // A day past the other end takes that end along.
          onChange(({ last }) => ({ from, to: from > last ? from : last, days: "" }));
        }}
      />
      <TextInput
        type="date"
        label={t("insights.to")}
        value={range.last}
        min={range.first}
        onChange={(event) => {
          const to = event.currentTarget.value;
          onChange(({ first }) => ({ from: to && to < first ? to : first, to, days: "" }));
        }}
      />
      <NativeSelect
        label={t("insights.zone")}
        value={range.zone}
        onChange={(event) => {
          const zone = event.currentTarget.value;
          onChange(() => ({ zone }));
        }}
        data={listed}
      />
    </div>
  );
}
