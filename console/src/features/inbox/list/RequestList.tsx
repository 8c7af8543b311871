import { Button, Kbd } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { LiveConnection } from "@/api/live/useLiveFeed";
import { countOf, type Inbox } from "@/features/inbox/live/inbox";
import { SHORT_HELP } from "@/features/inbox/keys/keys";
import type { Listed } from "@/features/inbox/live/listed";
import { ListState } from "@/features/inbox/list/ListState";
import type { Marks } from "@/features/inbox/bulk/marks";
import classes from "@/features/inbox/list/RequestList.module.css";
import { RequestRow } from "@/features/inbox/list/RequestRow";
import { RequestRows } from "@/features/inbox/list/RequestRows";
import { useNow } from "@/time/useNow";

interface RequestListProps {
  inbox: Inbox;
  connection: LiveConnection;
  rows: readonly Listed[];
  me: string;
  wide: boolean;
  selected: Listed | null;
  marks: Marks;
  onMark: (id: string, range: boolean) => void;
  onTouch: () => void;
  /** The filter as text: another one is another list. */
  view: string;
  onClearFilter: () => void;
  onLoadMore: (() => void) | null;
  bulk: ReactNode;
}

const ROW_HEIGHT = { wide: 40, compact: 56 };

export function RequestList(props: RequestListProps) {
  const { inbox, connection, rows, me, wide, selected, marks, onMark, onTouch, view, bulk } = props;
  const { t } = useTranslation();
  const { search } = useLocation();
  const now = useNow() + inbox.skew;
  return (
    <>
      {rows.length === 0 ? (
        <div className={classes.state}>
          <ListState
            loaded={inbox.loaded}
            connection={connection}
            open={countOf(inbox)}
            onClear={props.onClearFilter}
          />
        </div>
      ) : (
        <RequestRows
          rows={rows}
          rowHeight={wide ? ROW_HEIGHT.wide : ROW_HEIGHT.compact}
          selected={selected}
          view={view}
          onTouch={onTouch}
          footer={
            props.onLoadMore && (
              <div className={classes.more}>
                <Button variant="default" size="xs" onClick={props.onLoadMore}>
                  {t("inbox.loadMore")}
                </Button>
              </div>
            )
          }
        >
          {({ request }) => (
            <RequestRow
              request={request}
              now={now}
              me={me}
              wide={wide}
              selected={request.id === selected?.request.id}
              marked={marks.ids.has(request.id)}
              onMark={onMark}
              search={search}
            />
          )}
        </RequestRows>
      )}
      {bulk ?? <Keys />}
    </>
  );
}

function Keys() {
  const { t } = useTranslation();
  return (
    <footer className={classes.keys}>
      {SHORT_HELP.map(([keys, act]) => (
        <span key={act}>
          <Kbd size="xs">{keys}</Kbd> {t(`keys.short.${act}`)}
        </span>
      ))}
    </footer>
  );
}
