import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchRequest } from "@/api/client";
import type { Request } from "@/api/types";
import type { Inbox } from "@/features/inbox/live/inbox";
import { type Listed, toListed } from "@/features/inbox/live/listed";

export interface Selected {
  request: Request | null;
  /** The same with its place in the list, also when it has left it. */
  listed: Listed | null;
  error: unknown;
  retry: () => void;
}

/** The request that the address names: from the live inbox, or fetched where it was settled long ago. */
export function useSelected(inbox: Inbox, selectedId: string | null): Selected {
  const id = selectedId ?? "";
  const live = inbox.open.get(id)?.request ?? inbox.settled.get(id)?.request;
  const older = useQuery({
    queryKey: ["request", id],
    queryFn: () => fetchRequest(id),
    enabled: selectedId !== null && inbox.loaded && !live,
  });
  const request = live ?? (selectedId === null ? null : (older.data ?? null));
  const listed = useMemo(() => (request ? toListed(request) : null), [request]);
  return { request, listed, error: live ? null : older.error, retry: () => void older.refetch() };
}
