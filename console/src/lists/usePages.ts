import { useInfiniteQuery } from "@tanstack/react-query";

interface Page<Item> {
  items: Item[];
  next_cursor?: string | number | null;
}

export interface Pages<Item> {
  items: readonly Item[];
  error: unknown;
  loading: boolean;
  refetch: () => void;
  /** Present while there is more to load. */
  more: (() => void) | undefined;
  loadingMore: boolean;
}

/** How often a list looks for what is new: only the inbox has a live feed. */
const AGAIN_MS = 15_000;

/** A list that the service hands out page by page. */
export function usePages<Item>(
  key: readonly unknown[],
  load: (cursor: string | null) => Promise<Page<Item>>,
): Pages<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => (next_cursor == null ? null : String(next_cursor)),
    refetchInterval: AGAIN_MS,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    error: query.data ? null : query.error,
    loading: query.isPending,
    refetch: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}
