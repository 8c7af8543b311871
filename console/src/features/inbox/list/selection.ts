import { byPriority, type Listed, placeOf } from "@/features/inbox/live/listed";

/**
 * Returns the request that comes `step` after (1) or before (-1) the selected one in the list's order.
 *
 * The selected one may have left the list already: its place still tells what is next to it.
 */
export function neighbour(order: readonly Listed[], selected: Listed | null, step: 1 | -1): Listed | undefined {
  if (!selected) return order[0];
  const place = placeOf(order, selected);
  const here = order[place];
  const listed = here !== undefined && byPriority(here, selected) === 0;
  const after = order[listed ? place + 1 : place];
  const before = order[place - 1];
  if (listed) return step === 1 ? after : before;
  return step === 1 ? (after ?? before) : (before ?? after);
}
