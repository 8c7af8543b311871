import { NativeSelect, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import classes from "@/features/insights/InsightsPage.module.css";
import { LENGTHS, zones, type ChosenRange } from "@/features/insights/range";

interface RangeControlsProps {
  range: ChosenRange;
  onChange: (changes: Record<string, string>) => void;
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
          onChange({ days: event.currentTarget.value, from: "", to: "" });
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
          onChange({ from: event.currentTarget.value, to: range.last, days: "" });
        }}
      />
      <TextInput
        type="date"
        label={t("insights.to")}
        value={range.last}
        min={range.first}
        onChange={(event) => {
          onChange({ from: range.first, to: event.currentTarget.value, days: "" });
        }}
      />
      <NativeSelect
        label={t("insights.zone")}
        value={range.zone}
        onChange={(event) => {
          onChange({ zone: event.currentTarget.value });
        }}
        data={listed}
      />
    </div>
  );
}
