/** Which live frames are worth telling somebody about. */
import type { LiveFrame } from "@/api/events";
import type { Request } from "@/api/types";

export interface Arrivals {
  /** Requests that were opened, and are still open after these frames. */
  opened: Request[];
  /** Requests whose deadline is near. */
  due: Request[];
}

/** Reads what is new from frames; what `me` did, and what a snapshot merely repeats, is nothing new. */
export function arrivalsIn(frames: readonly LiveFrame[], me: string): Arrivals {
  const opened = new Map<string, Request>();
  const due = new Map<string, Request>();
  for (const frame of frames) {
    if (frame.type !== "event") continue;
    const { actor, fact } = frame.event;
    const mine = actor.kind === "operator" && actor.id === me;
    if (fact.name === "request.opened" && !mine) opened.set(fact.request.id, fact.request);
    else if (fact.name === "request.reminded" && !mine) due.set(fact.request.id, fact.request);
    else if (fact.name === "request.decided" || fact.name === "request.expired" || fact.name === "request.withdrawn") {
      opened.delete(fact.request.id);
      due.delete(fact.request.id);
    }
  }
  return { opened: [...opened.values()], due: [...due.values()] };
}
