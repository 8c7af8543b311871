/** An inbox with requests in it, and what stands on its page. */
import { screen, waitFor, within } from "@testing-library/react";
import { LIVE_PATH } from "@/api/live/useLiveFeed";
import type { Request } from "@/api/types";
import { aRequest, aSnapshot } from "@/testing/examples";
import { renderAt } from "@/testing/renderAt";
import { SocketDouble } from "@/testing/SocketDouble";

export const refund = aRequest();
export const email = aRequest({
  id: "req_2",
  tool: "send_email",
  args: { to: "a@b.c" },
  created_at: "2026-03-01T10:01:00Z",
});
export const question = aRequest({
  id: "req_3",
  kind: "question",
  tool: "ask_human_agent",
  question: "May I waive the fee?",
  allowed: ["respond"],
  options: [{ id: "yes", label: "Waive it", description: "" }],
});
export const DECISION = "POST /api/v1/requests/req_1/decision";

/** Opens the console with these requests waiting. */
export async function visit(address: string, ...requests: Request[]) {
  const page = renderAt(address);
  const server = await waitFor(() => SocketDouble.at(LIVE_PATH));
  await server.send(aSnapshot(10, requests));
  const rows = () => within(screen.getByRole("list", { name: "Open requests" })).queryAllByRole("link");
  return { ...page, server, rows };
}
export const button = (name: string) => screen.findByRole("button", { name });
export const outcome = () => screen.findByTestId("outcome");
