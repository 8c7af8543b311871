import { useTranslation } from "react-i18next";
import type { Report } from "@/api/insights";
import { requestsIn } from "@/features/insights/links";
import { Count } from "@/features/insights/tiles/Number";
import { formatShare, TARGET_MIX, TYPES } from "@/features/insights/numbers";
import classes from "@/features/insights/tiles/Tile.module.css";
import { Tile } from "@/features/insights/tiles/Tile";

/** What people are asked for, beside what they should be asked for. */
export function MixTile({ report }: { report: Report }) {
  const { t, i18n } = useTranslation();
  const all = TYPES.reduce((sum, type) => sum + (report.types[type] ?? 0), 0);
  return (
    <Tile title={t("insights.mix")}>
      <table className={classes.mix}>
        <thead>
          <tr>
            <th scope="col">{t("insights.byType")}</th>
            <th scope="col">{t("insights.requests")}</th>
            <th scope="col">{t("insights.share")}</th>
            <th scope="col">{t("insights.target")}</th>
          </tr>
        </thead>
        <tbody>
          {TYPES.map((type) => {
            const count = report.types[type] ?? 0;
            return (
              <tr key={type}>
                <th scope="row">{t(`insights.type.${type}`)}</th>
                <td>
                  <Count
                    value={count}
                    to={requestsIn(report, { question_type: type })}
                    label={t(`insights.type.${type}`)}
                  />
                </td>
                <td>{formatShare(all ? count / all : null, i18n.language)}</td>
                <td>{formatShare(TARGET_MIX[type], i18n.language)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Tile>
  );
}
