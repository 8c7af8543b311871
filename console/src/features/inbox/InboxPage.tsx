import { VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useMemo, useReducer, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useMatch, useNavigate } from "react-router";
import { useMe } from "@/api/useMe";
import { ConnectionBanner } from "@/components/notices/ConnectionBanner";
import { usePageTitle } from "@/components/usePageTitle";
import { useIconCount } from "@/features/inbox/alerts/icon";
import { useAlerts } from "@/features/inbox/alerts/useAlerts";
import { BulkBar } from "@/features/inbox/bulk/BulkBar";
import { filtered } from "@/features/inbox/filter/filters";
import { countOf } from "@/features/inbox/live/inbox";
import classes from "@/features/inbox/InboxPage.module.css";
import { ListHead } from "@/features/inbox/list/ListHead";
import { foldMarks, markedIn, NO_MARKS } from "@/features/inbox/bulk/marks";
import { NotAllowed } from "@/features/inbox/NotAllowed";
import { INBOX_PATH, requestPath } from "@/features/inbox/paths";
import { RequestList } from "@/features/inbox/list/RequestList";
import { withSettled } from "@/features/inbox/list/rows";
import { SelectedRequest } from "@/features/inbox/detail/SelectedRequest";
import { neighbour } from "@/features/inbox/list/selection";
import { useFilter } from "@/features/inbox/filter/useFilter";
import { useInbox } from "@/features/inbox/live/useInbox";
import { useInboxKeys } from "@/features/inbox/keys/useInboxKeys";
import { useSelected } from "@/features/inbox/detail/useSelected";
import { useSweeping } from "@/features/inbox/list/useSweeping";
import { useNow } from "@/time/useNow";

// Dialogs are fetched when they are first opened: the list works without them.
const BulkDialog = lazy(async () => ({ default: (await import("@/features/inbox/bulk/BulkDialog")).BulkDialog }));
const HelpOverlay = lazy(async () => ({ default: (await import("@/features/inbox/keys/HelpOverlay")).HelpOverlay }));

/** How often a list of what is mine or free looks for claims that ran out. */
const CLAIMS_MS = 5_000;

export function InboxPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const me = useMe().data?.id ?? "";
  const alerts = useAlerts(me);
  const { inbox, connection, settle, loadMore } = useInbox(alerts.onLive);
  const count = countOf(inbox);
  usePageTitle(count > 0 ? `(${count}) ${t("inbox.title")}` : t("inbox.title"));
  useIconCount(count);

  const selectedId = useMatch("/console/requests/:requestId")?.params.requestId ?? null;
  const selected = useSelected(inbox, selectedId);
  const filtering = useFilter();
  const { filter } = filtering;
  const clock = useNow(CLAIMS_MS) + inbox.skew;
  const claimsAt = filter.who ? clock : 0;
  const open = useMemo(() => filtered(inbox.order, filter, me, claimsAt), [inbox.order, filter, me, claimsAt]);
  const { swept, touch } = useSweeping(inbox.settlements);
  const rows = useMemo(
    () => withSettled(open, inbox, filter, { swept, selectedId }),
    [open, inbox, filter, swept, selectedId],
  );

  const [marks, mark] = useReducer(foldMarks, NO_MARKS);
  const marked = useMemo(() => markedIn(inbox.order, marks), [inbox.order, marks]);
  const [deciding, setDeciding] = useState(false);
  // Null until it was opened once.
  const [helping, setHelping] = useState<boolean | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);
  /** Enter was pressed, perhaps before the request is there to take the focus. */
  const focusWanted = useRef(false);

  const go = (id: string) => {
    // At once, not when React finds the time: the next key may already be about the request that this one leads to.
    void navigate({ pathname: requestPath(id), search }, { replace: selectedId !== null, flushSync: true });
  };
  const move = (step: 1 | -1) => {
    touch();
    const next = neighbour(open, selected.listed, step);
    if (next) go(next.request.id);
  };
  const markAlike = () => {
    const model = marked.find(({ id }) => id === marks.from) ?? marked[0] ?? selected.request;
    if (model?.status === "open") mark({ type: "alike", request: model, order: open });
  };
  const focusDetail = () => {
    const title = focusWanted.current ? detail.current?.querySelector("h2") : null;
    if (!title) return;
    focusWanted.current = false;
    title.focus();
  };
  useInboxKeys({
    move,
    open: () => {
      focusWanted.current = true;
      if (selectedId === null) move(1);
      else focusDetail();
    },
    mark: () => {
      touch();
      if (selected.request?.status === "open") mark({ type: "toggle", id: selected.request.id });
    },
    markAlike,
    decideMarked: () => {
      setDeciding(marked.length > 0);
    },
    search: () => {
      searchField.current?.focus();
      searchField.current?.select();
    },
    help: () => {
      setHelping(true);
    },
    leave: () => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && detail.current?.contains(focused)) focused.blur();
      else if (marked.length > 0) mark({ type: "clear" });
      else if (selectedId !== null) void navigate({ pathname: INBOX_PATH, search });
    },
  });

  const wide = useMediaQuery("(min-width: 64em)") && selectedId === null;
  if (connection === "signedOut" || connection === "forbidden") return <NotAllowed reason={connection} />;
  return (
    <div className={classes.page}>
      <VisuallyHidden component="h1">{t("inbox.title")}</VisuallyHidden>
      <ConnectionBanner connection={connection} />
      <div className={classes.panes} data-selected={selectedId !== null || undefined}>
        <section className={classes.list} aria-label={t("inbox.title")}>
          <ListHead
            inbox={inbox}
            matching={open.length}
            filtering={filtering}
            searchField={searchField}
            alerts={alerts}
            onHelp={() => {
              setHelping(true);
            }}
          />
          <RequestList
            inbox={inbox}
            connection={connection}
            rows={rows}
            me={me}
            wide={wide}
            selected={selected.listed}
            marks={marks}
            onMark={(id, range) => {
              mark(range ? { type: "range", to: id, order: open } : { type: "toggle", id });
            }}
            onTouch={touch}
            view={JSON.stringify(filter)}
            onClearFilter={filtering.clear}
            onLoadMore={loadMore}
            bulk={
              marked.length === 0 ? null : (
                <BulkBar
                  count={marked.length}
                  onAlike={markAlike}
                  onDecide={() => {
                    setDeciding(true);
                  }}
                  onClear={() => {
                    mark({ type: "clear" });
                  }}
                />
              )
            }
          />
        </section>
        {selectedId !== null && (
          <section className={classes.detail} aria-label={t("request.detail")} ref={detail}>
            <SelectedRequest
              selected={selected}
              onSettled={settle}
              onNext={
                open.length > 0
                  ? () => {
                      move(1);
                    }
                  : null
              }
              onShown={focusDetail}
            />
          </section>
        )}
      </div>
      <Suspense>
        {deciding && (
          <BulkDialog
            requests={marked}
            settled={(id) => inbox.settled.get(id)?.request}
            onSettled={settle}
            onClose={() => {
              setDeciding(false);
            }}
          />
        )}
        {helping !== null && (
          <HelpOverlay
            opened={helping}
            onClose={() => {
              setHelping(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
