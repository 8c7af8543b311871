import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";
import { newCallKey } from "@/api/callKey";
import { decide, fetchRequest } from "@/api/client";
import { hasCode } from "@/api/problem";
import { type Answer, answerAll, type Served, type Settlement, settleRequest } from "@/api/requests";
import type { Decision, Me, Request } from "@/api/types";
import { isEndedBy } from "@/features/inbox/decide/outcome/ending";

/** What an operator does about a request. */
export type Act =
  | { do: "decide"; decision: Decision }
  | { do: "settle"; settlement: Settlement; result: string }
  | { do: "answerAll"; decision: Answer; others: readonly string[] };

export interface Closed {
  request: Request;
  /** True when somebody else, or the clock, was first: the request then carries their decision. */
  lost: boolean;
  /** What became of the others, where one answer was to serve several. */
  others: readonly Served[];
}

export type Deciding = UseMutationResult<Closed, Error, Act>;

/** Closes a request. Losing the race is an answer, not an error: it is told apart from a call that failed. */
export function useDecide(requestId: string, me: Me | undefined, onSettled: (request: Request) => void): Deciding {
  // The same act keeps its key: trying again after silence is not a second decision.
  const keys = useRef(new Map<string, string>());
  const keyOf = (act: Act) => {
    const name = JSON.stringify(act);
    const key = keys.current.get(name) ?? newCallKey();
    keys.current.set(name, key);
    return key;
  };
  return useMutation({
    mutationFn: async (act: Act): Promise<Closed> => {
      try {
        return await perform(requestId, act, keyOf(act), me, onSettled);
      } catch (error) {
        if (!hasCode(error, "already_settled")) throw error;
        const request = await fetchRequest(requestId);
        return { request, lost: !isEndedBy(me, request), others: [] };
      }
    },
    onSuccess: ({ request }) => {
      onSettled(request);
    },
  });
}

async function perform(
  requestId: string,
  act: Act,
  key: string,
  me: Me | undefined,
  onSettled: (request: Request) => void,
): Promise<Closed> {
  switch (act.do) {
    case "decide":
      return { request: await decide(requestId, act.decision, key), lost: false, others: [] };
    case "settle":
      return { request: await settleRequest(requestId, act.settlement, act.result, key), lost: false, others: [] };
    case "answerAll": {
      const [first, ...others] = await answerAll(requestId, act.decision, [requestId, ...act.others]);
      for (const { request } of others) if (request) onSettled(request);
      const request = first?.request ?? (await fetchRequest(requestId));
      return { request, lost: !first?.request && !isEndedBy(me, request), others };
    }
  }
}
