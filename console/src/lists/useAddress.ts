import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";

/** What to set; an empty value removes its name. */
export type AddressChanges = Readonly<Record<string, string | undefined>>;

export type ChangeAddress = (
  changes: AddressChanges | ((now: URLSearchParams) => AddressChanges),
  options?: { replace?: boolean },
) => void;

/**
 * The address's query, as it was last asked for, and how to change it. The router shows a change only a moment later: by then a
 * field would have lost what was typed, and the next change would undo this one.
 */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [arrived, go] = useSearchParams();
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [seen, setSeen] = useState(arrived);
  if (seen !== arrived) {
    setSeen(arrived);
    // What arrives may be a change before the last. What nobody asked for here came by a link, or by going back.
    const index = asked.lastIndexOf(arrived.toString());
    setAsked(index < 0 ? [] : asked.slice(index + 1));
  }
  const last = asked.at(-1);
  const search = useMemo(() => (last === undefined ? arrived : new URLSearchParams(last)), [last, arrived]);
  const latest = useRef(search);
  useLayoutEffect(() => {
    latest.current = search;
  }, [search]);

  const change: ChangeAddress = (changes, options) => {
    const now = latest.current;
    const after = withChanges(now, typeof changes === "function" ? changes(now) : changes);
    if (after.toString() === now.toString()) return;
    latest.current = after;
    setAsked((before) => [...before, after.toString()]);
    go(after, options);
  };
  return [search, change];
}

function withChanges(before: URLSearchParams, changes: AddressChanges): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}
