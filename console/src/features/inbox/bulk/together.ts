/** Deciding several requests with one decision. Each is decided, and recorded, by itself; each has a result of its own. */
import { decide, fetchRequest } from "@/api/client";
import { ApiError, hasCode, hasStatus, isRefusal } from "@/api/problem";
import { answerAll } from "@/api/requests";
import type { Decision, Request } from "@/api/types";

export type Result =
  | { state: "done"; request: Request }
  /** Somebody else, or the clock, was first. */
  | { state: "lost"; request: Request }
  | { state: "refused"; detail: string; fix: string }
  /** The service did not answer: it may be decided or not, and asking again is safe. */
  | { state: "unknown" };

export type OnResult = (requestId: string, result: Result) => void;

const AT_ONCE = 4;
const SHORTEST_PAUSE_S = 1;

/** Decides every request, a few at a time. `key` makes it safe to do it again. */
export async function decideTogether(
  requests: readonly Request[],
  decision: Decision,
  { key, onResult }: { key: string; onResult: OnResult },
): Promise<void> {
  if (decision.type === "respond" && requests.length > 1 && requests.every(({ kind }) => kind === "question")) {
    await answerTogether(requests, decision, onResult);
    return;
  }
  const queue = [...requests];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id } = next;
      onResult(id, await resultOf(id, () => decide(id, decision, `${key}-${id}`)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Answers questions that ask the same in one call. Where the first is taken already, the next one leads. */
async function answerTogether(
  questions: readonly Request[],
  decision: Extract<Decision, { type: "respond" }>,
  onResult: OnResult,
): Promise<void> {
  let left = questions.map(({ id }) => id);
  while (left.length > 0) {
    const [lead = ""] = left;
    const settled = new Set<string>();
    const tell: OnResult = (id, result) => {
      settled.add(id);
      onResult(id, result);
    };
    try {
      for (const served of await answerAll(lead, decision, left)) {
        if (served.request) tell(served.request_id, { state: "done", request: served.request });
        else tell(served.request_id, await failureOf(served.request_id, served.code, served.detail));
      }
      // Those that it left out are neither open nor alike any more.
      for (const id of left.filter((each) => !settled.has(each))) tell(id, await strangerOf(id));
    } catch (error) {
      const strangers = strangersIn(error).filter((id) => left.includes(id));
      for (const id of strangers) tell(id, await strangerOf(id));
      if (strangers.length === 0 && isRefusal(error)) {
        tell(lead, await refusalOf(lead, error));
      } else if (strangers.length === 0) {
        for (const id of left) tell(id, { state: "unknown" });
      }
    }
    left = left.filter((id) => !settled.has(id));
  }
}

async function resultOf(requestId: string, call: () => Promise<Request>): Promise<Result> {
  try {
    return { state: "done", request: await call() };
  } catch (error) {
    if (hasStatus(error, 429)) {
      await pause(error);
      return resultOf(requestId, call);
    }
    return refusalOf(requestId, error);
  }
}

async function refusalOf(requestId: string, error: unknown): Promise<Result> {
  if (!(error instanceof ApiError) || !isRefusal(error)) return { state: "unknown" };
  const { code, detail, title, fix } = error.problem;
  return failureOf(requestId, code, detail || title, fix);
}

async function failureOf(requestId: string, code: string, detail: string, fix = ""): Promise<Result> {
  if (code !== "already_settled") return { state: "refused", detail, fix };
  try {
    return { state: "lost", request: await fetchRequest(requestId) };
  } catch {
    return { state: "refused", detail, fix };
  }
}

/** A question that the service did not count among those that ask the same: gone, or about something else. */
async function strangerOf(requestId: string): Promise<Result> {
  try {
    const request = await fetchRequest(requestId);
    return request.status === "open" ? { state: "refused", detail: "", fix: "" } : { state: "lost", request };
  } catch {
    return { state: "unknown" };
  }
}

function strangersIn(error: unknown): string[] {
  if (!hasCode(error, "invalid_input")) return [];
  const { request_ids: ids } = (error as ApiError).problem.details;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

function pause(error: unknown): Promise<void> {
  const { retry_after: told } = (error as ApiError).problem.details;
  const seconds = Math.max(SHORTEST_PAUSE_S, typeof told === "number" ? told : 0);
  return new Promise((over) => setTimeout(over, seconds * 1_000));
}
