import type { Request } from "@/api/types";

/** Who works on a request now. A claim that ran out is nobody's, although no event says so. */
export function holderOf(request: Request, now: number): string | null {
  const { claimed_by: who, claim_until: until } = request;
  return who && until && Date.parse(until) > now ? who : null;
}
