/** The kinds of decision, as values. */
import type { DecisionKind } from "@/api/types";

/** In the order in which people read them; a kind that is left out does not compile. */
const KINDS = { approve: true, edit: true, reject: true, respond: true } as const satisfies Record<DecisionKind, true>;

export const DECISION_KINDS = Object.keys(KINDS) as DecisionKind[];
