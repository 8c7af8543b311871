import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { exportUrl, readTrail } from "@/api/audit";
import { AuditFilters } from "@/features/audit/AuditFilters";
import { AuditRow } from "@/features/audit/AuditRow";
import { filterOf } from "@/features/audit/filter";
import { Sealed } from "@/features/audit/Sealed";
import { ListPage } from "@/lists/ListPage";
import classes from "@/lists/ListPage.module.css";
import { usePages } from "@/lists/usePages";

/** Who did what, the newest first, with the proof that nobody changed it. */
export function AuditPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = usePages(["audit", filter], (cursor) => readTrail(filter, cursor));
  const filtered = Object.keys(filter).length > 0;
  return (
    <ListPage
      title={t("audit.title")}
      empty={{ title: t("audit.empty"), text: t(filtered ? "audit.emptyFiltered" : "audit.emptyText") }}
      pages={pages}
      filters={
        pages.error === null && (
          <>
            <Sealed />
            <Button component="a" variant="default" href={exportUrl(filter)} download>
              {t("audit.export")}
            </Button>
            <AuditFilters key={search.toString()} />
          </>
        )
      }
    >
      <ul className={classes.list} aria-label={t("audit.title")}>
        {pages.items.map((event) => (
          <AuditRow key={event.seq} event={event} />
        ))}
      </ul>
    </ListPage>
  );
}
