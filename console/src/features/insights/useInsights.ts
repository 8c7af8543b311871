import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { fetchInsights, fetchOwnInsights, type By, type RangeQuery, type Report } from "@/api/insights";

const AGAIN_MS = 30_000;

/** A report that looks again by itself. `own` asks for the operator's own numbers. */
export function useInsights(range: RangeQuery, by: By, own: boolean | undefined): UseQueryResult<Report> {
  return useQuery({
    queryKey: ["insights", range, by, own],
    queryFn: () => (own && (by === "hour" || by === "day") ? fetchOwnInsights(range, by) : fetchInsights(range, by)),
    enabled: own !== undefined && !(own && by !== "hour" && by !== "day"),
    refetchInterval: AGAIN_MS,
  });
}
