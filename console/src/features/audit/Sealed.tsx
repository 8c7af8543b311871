import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readSeal } from "@/api/audit";
import classes from "@/features/audit/Audit.module.css";
import { formatMoment } from "@/time/format";

/** How far the trail is sealed, and the hash that is worth keeping elsewhere. */
export function Sealed() {
  const { t, i18n } = useTranslation();
  const seal = useQuery({ queryKey: ["seal"], queryFn: readSeal, refetchInterval: 15_000 }).data;
  if (!seal) return <p className={classes.sealed}>{t("app.loading")}</p>;
  if (!seal.at) return <p className={classes.sealed}>{t("audit.notSealed")}</p>;
  const waiting = seal.events - seal.sealed;
  return (
    <p className={classes.sealed} data-testid="sealed">
      {t("audit.sealed", { number: seal.number, seq: seal.sealed, when: formatMoment(seal.at, i18n.language) })}{" "}
      {waiting > 0 ? t("audit.waiting", { count: waiting }) : t("audit.upToDate")}
      <br />
      <span className={classes.hash}>{seal.hash}</span>
    </p>
  );
}
