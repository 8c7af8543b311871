import { QueryClient } from "@tanstack/react-query";
import { Unreachable } from "@/api/problem";

const RETRIES = 3;

/** A refusal is final; only silence is worth asking again. Live data comes from the event streams, not from refetching. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => error instanceof Unreachable && failures < RETRIES,
        refetchOnWindowFocus: false,
        staleTime: 60_000,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
