import type { Request } from "@/api/types";

/** What the customer is asked to confirm, each tool once. */
export function toolNames(requests: readonly Request[]): string {
  return [...new Set(requests.map(({ tool }) => tool))].join(", ");
}
