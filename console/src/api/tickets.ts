/** Questions that nobody answered in time. */
import { http, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export type Ticket = components["schemas"]["Ticket"];
export type TicketStatus = Ticket["status"];

export function listTickets(
  status: TicketStatus,
  cursor: string | null,
): Promise<{ items: Ticket[]; next_cursor?: string | null }> {
  return unwrap(http.GET("/api/v1/tickets", { params: { query: { status, ...(cursor ? { cursor } : {}) } } }));
}

export function answerTicket(number: number, text: string): Promise<Ticket> {
  return unwrap(http.POST("/api/v1/tickets/{number}/answer", { params: { path: { number } }, body: { text } }));
}
