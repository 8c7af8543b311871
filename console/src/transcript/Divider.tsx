import { useTranslation } from "react-i18next";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/transcript/Divider.module.css";
import type { DividerEntry } from "@/transcript/entries";
import { formatMoment, formatTime } from "@/time/format";

interface DividerProps {
  divider: DividerEntry;
  /** True for the customer, who is told who is talking to them; others read a record. */
  own?: boolean;
}

/** A line across the conversation where it changed hands. */
export function Divider({ divider, own = false }: DividerProps) {
  const { t, i18n } = useTranslation();
  return (
    <div className={classes.divider} data-testid="divider">
      <span>
        <PlainText
          text={t(own ? `transcript.divider.${divider.what}` : `transcript.record.${divider.what}`, {
            who: divider.who,
          })}
        />{" "}
        <time dateTime={divider.at} title={formatMoment(divider.at, i18n.language)}>
          {formatTime(divider.at, i18n.language)}
        </time>
      </span>
    </div>
  );
}
