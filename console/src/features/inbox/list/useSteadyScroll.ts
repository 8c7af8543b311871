import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { type Listed, placeOf } from "@/features/inbox/live/listed";

interface Steady {
  rows: readonly Listed[];
  rowHeight: number;
  selected: Listed | null;
  /** Changes when the reader asked for another list, which then starts at its top. */
  view: string;
  /** Rows came in above what is in sight. */
  onAbove: (count: number) => void;
}

/**
 * Keeps the row under the pointer, else the selected one, else the first in sight at its place on the screen when
 * rows come and go above it. `scroller` and `canvas` are for the pane and for the element as high as all rows together;
 * `point` and `release` are to be called when the pointer or the pane moves.
 */
export function useSteadyScroll({ rows, rowHeight, selected, view, onAbove }: Steady) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLUListElement>(null);
  const pointed = useRef<Listed | null>(null);
  const before = useRef({ rows, rowHeight, view });
  const noteAbove = useEffectEvent(onAbove);

  const anchorIn = useEffectEvent(
    (shown: readonly Listed[], height: number, { scrollTop, clientHeight }: HTMLElement) => {
      if (pointed.current) return pointed.current;
      const place = selected ? placeOf(shown, selected) * height : -1;
      if (selected && place > scrollTop - height && place < scrollTop + clientHeight) return selected;
      return scrollTop > 0 ? shown[Math.floor(scrollTop / height)] : undefined;
    },
  );

  useLayoutEffect(() => {
    const was = before.current;
    before.current = { rows, rowHeight, view };
    const pane = scroller.current;
    if (!pane || was.rows === rows) return;
    if (was.view !== view) {
      pointed.current = null;
      pane.scrollTop = 0;
      return;
    }
    const anchor = anchorIn(was.rows, was.rowHeight, pane);
    if (!anchor) return;
    const shift = placeOf(rows, anchor) - placeOf(was.rows, anchor);
    if (shift === 0 || was.rowHeight !== rowHeight) return;
    const wanted = Math.max(0, pane.scrollTop + shift * rowHeight);
    // A list that is shorter than its pane cannot scroll, unless there is room below.
    if (canvas.current) canvas.current.style.minHeight = `${wanted + pane.clientHeight}px`;
    pane.scrollTop = wanted;
    if (shift > 0) noteAbove(shift);
  }, [rows, rowHeight, view]);

  return {
    scroller,
    canvas,
    point: (listed: Listed | null) => {
      pointed.current = listed;
    },
    /** The reader scrolled: room that was added below is not needed once they are above it. */
    release: () => {
      const pane = scroller.current;
      if (!pane || !canvas.current) return;
      if (pane.scrollTop + pane.clientHeight <= rows.length * rowHeight || pane.scrollTop === 0) {
        canvas.current.style.minHeight = "";
      }
    },
  };
}
