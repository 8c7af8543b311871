import { Checkbox, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { listSessions, type SessionFilter } from "@/api/sessions";
import type { SessionStatus } from "@/api/types";
import { useMe } from "@/api/useMe";
import { SessionRow } from "@/features/sessions/SessionRow";
import { ListPage } from "@/lists/ListPage";
import classes from "@/lists/ListPage.module.css";
import { useAddress } from "@/lists/useAddress";
import { usePages } from "@/lists/usePages";

const STATUSES = ["active", "waiting_for_human", "timeout", "completed", "error"] as const;

/** Every conversation, the newest first. */
export function SessionsPage() {
  const { t } = useTranslation();
  const me = useMe().data;
  const [search, change] = useAddress();
  const mine = search.has("mine") && me !== undefined;
  const filter: SessionFilter = { ...statusOf(search), ...(mine ? { taken_by: me.id } : {}) };
  const pages = usePages(["sessions", filter], (cursor) => listSessions(filter, cursor));

  return (
    <ListPage
      title={t("sessions.title")}
      empty={{ title: t("sessions.empty"), text: t("sessions.emptyText") }}
      pages={pages}
      filters={
        <>
          <NativeSelect
            aria-label={t("sessions.status")}
            value={filter.status ?? ""}
            onChange={(event) => {
              change({ status: event.currentTarget.value });
            }}
            data={[
              { value: "", label: t("sessions.all") },
              ...STATUSES.map((status) => ({ value: status, label: t(`sessions.is.${status}`) })),
            ]}
          />
          <Checkbox
            label={t("sessions.mine")}
            checked={mine}
            onChange={(event) => {
              change({ mine: event.currentTarget.checked ? "1" : "" });
            }}
          />
        </>
      }
    >
      <ul className={classes.list} aria-label={t("sessions.title")}>
        {pages.items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </ListPage>
  );
}

function statusOf(search: URLSearchParams): { status?: SessionStatus } {
  const status = STATUSES.find((one) => one === search.get("status"));
  return status ? { status } : {};
}
