/** The rows of the list: what is open and passes the filter, and for a while what was settled there. */
import { type Filter, filtered } from "@/features/inbox/filter/filters";
import type { Inbox } from "@/features/inbox/live/inbox";
import { byPriority, type Listed, toListed } from "@/features/inbox/live/listed";

/** Adds to the open ones those that were settled after number `swept`, and the selected one, each where it was. */
export function withSettled(
  open: readonly Listed[],
  { settled }: Inbox,
  filter: Filter,
  { swept, selectedId }: { swept: number; selectedId: string | null },
): readonly Listed[] {
  const staying = [...settled.values()]
    .filter(({ request, number }) => number > swept || request.id === selectedId)
    .map(({ request }) => toListed(request));
  if (staying.length === 0) return open;
  // Nobody holds what is settled, so that whose it is does not matter any more.
  const whosever = { ...filter, who: "" };
  return [...open, ...filtered(staying, whosever, "", 0)].sort(byPriority);
}
