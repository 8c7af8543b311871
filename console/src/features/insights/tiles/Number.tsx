import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatCount, formatSeconds } from "@/features/insights/numbers";

interface CountProps {
  value: number;
  to: string;
  /** Says what is counted, to those who do not see what stands beside it. */
  label: string;
}

/** A number that leads to what it counts. */
export function Count({ value, to, label }: CountProps) {
  const { i18n } = useTranslation();
  const shown = formatCount(value, i18n.language);
  return (
    <Link to={to} aria-label={`${label}: ${shown}`} data-value={value}>
      {shown}
    </Link>
  );
}

/** A length of time, or that there is none because too many were never answered. */
export function useLength(): (seconds: number | null | undefined, count: number) => string {
  const { t, i18n } = useTranslation();
  return (seconds, count) => {
    if (count === 0) return "–";
    return seconds == null ? t("insights.noAnswer") : formatSeconds(seconds, i18n.language);
  };
}
