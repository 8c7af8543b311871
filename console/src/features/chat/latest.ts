/** What the newest entries of a conversation say. */
import type { Entry } from "@/transcript/entries";

export function latestReply(entries: readonly Entry[]): string {
  const reply = entries.findLast(
    (entry) => entry.kind === "message" && entry.from !== "customer" && entry.state === "stored",
  );
  return reply?.kind === "message" ? reply.text : "";
}

/** Returns what the customer wrote last, or null when they wrote nothing. */
export function lastQuestion(entries: readonly Entry[]): string | null {
  const question = entries.findLast((entry) => entry.kind === "message" && entry.from === "customer");
  return question?.kind === "message" ? question.text : null;
}

/** Returns the tools whose calls wait for an operator: those that are open and not the customer's to confirm. */
export function openTools(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === "tool" && entry.state === "open" && entry.request === null ? [entry.tool] : [],
  );
}
