import { useVirtualizer } from "@tanstack/react-virtual";
import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Listed, placeOf } from "@/features/inbox/live/listed";
import classes from "@/features/inbox/list/RequestRows.module.css";
import { useSteadyScroll } from "@/features/inbox/list/useSteadyScroll";

interface RequestRowsProps {
  rows: readonly Listed[];
  rowHeight: number;
  selected: Listed | null;
  /** Changes when the reader asked for another list. */
  view: string;
  onTouch: () => void;
  children: (listed: Listed) => ReactNode;
  /** What comes after the last row. */
  footer: ReactNode;
}

const OVERSCAN = 8;

/** Draws the rows that are in sight, however many there are. */
export function RequestRows({ rows, rowHeight, selected, view, onTouch, children, footer }: RequestRowsProps) {
  const { t } = useTranslation();
  const [above, setAbove] = useState(0);
  const { scroller, canvas, point, release } = useSteadyScroll({
    rows,
    rowHeight,
    selected,
    view,
    onAbove: (count) => {
      setAbove((known) => known + count);
    },
  });
  // Nothing here is memoized by the compiler, so that its changing functions do no harm.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.request.id ?? index,
    overscan: OVERSCAN,
  });
  const reveal = useEffectEvent(() => {
    if (selected && rows.length > 0) virtual.scrollToIndex(placeOf(rows, selected), { align: "auto" });
  });
  const remeasure = useEffectEvent(() => {
    virtual.measure();
  });
  useEffect(() => {
    remeasure();
    reveal();
  }, [selected?.request.id, rowHeight]);

  const follow = (event: PointerEvent) => {
    if (event.pointerType === "touch") return;
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    point(rows[Number(row?.dataset.index ?? -1)] ?? null);
    onTouch();
  };
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      onScroll={({ currentTarget: { scrollTop } }) => {
        release();
        if (scrollTop < rowHeight && above > 0) setAbove(0);
      }}
      onPointerMove={follow}
      onPointerLeave={() => {
        point(null);
      }}
    >
      {above > 0 && (
        <button
          type="button"
          className={classes.above}
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            setAbove(0);
          }}
        >
          {t("inbox.above", { count: above })}
        </button>
      )}
      <ul ref={canvas} className={classes.rows} aria-label={t("inbox.list")} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const listed = rows[index];
          return (
            listed && (
              <li
                key={key}
                data-index={index}
                className={classes.row}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                {children(listed)}
              </li>
            )
          );
        })}
      </ul>
      {footer}
    </div>
  );
}
