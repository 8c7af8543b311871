import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { listTickets, type TicketStatus } from "@/api/tickets";
import { TicketCard } from "@/features/tickets/TicketCard";
import { ListPage } from "@/lists/ListPage";
import classes from "@/lists/ListPage.module.css";
import { usePages } from "@/lists/usePages";

/** Questions that nobody answered in time, the longest wait first. */
export function TicketsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const status: TicketStatus = search.get("status") === "answered" ? "answered" : "open";
  const pages = usePages(["tickets", status], (cursor) => listTickets(status, cursor));
  return (
    <ListPage
      title={t("tickets.title")}
      empty={{ title: t(`tickets.empty.${status}`), text: t("tickets.emptyText") }}
      pages={pages}
      filters={
        <SegmentedControl
          aria-label={t("tickets.which")}
          value={status}
          onChange={(value) => {
            setSearch(value === "answered" ? { status: value } : {});
          }}
          data={[
            { value: "open", label: t("tickets.open") },
            { value: "answered", label: t("tickets.answered") },
          ]}
        />
      }
    >
      <ul className={classes.list} aria-label={t("tickets.title")}>
        {pages.items.map((ticket) => (
          <TicketCard key={ticket.number} ticket={ticket} />
        ))}
      </ul>
    </ListPage>
  );
}
