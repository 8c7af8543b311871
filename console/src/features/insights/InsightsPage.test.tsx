import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderAt } from "@/testing/renderAt";
import { answerCalls } from "@/testing/service";

const waiting = { count: 4, unanswered: 1, in_time: 2, p50: 12, p90: null, p95: null, mean: 20, buckets: [] };
const figures = {
  sessions: 20,
  assisted: 3,
  assist_rate: 0.15,
  opened: 5,
  open: 1,
  claimed: 2,
  decided: 3,
  decisions: { approve: 1, edit: 1, reject: 1, respond: 0 },
  expired: 1,
  lapses: { inform: 0, ticket: 1, self_service: 0, none: 0 },
  withdrawn: 0,
  doubted: 0,
  settled: 0,
  quick: 1,
  repeated: 2,
  uses: 4,
  reuses: 1,
  response: waiting,
  claim: waiting,
  handling: waiting,
};
const report = {
  from: "2026-03-01T00:00:00Z",
  to: "2026-03-08T00:00:00Z",
  zone: "UTC",
  by: "day",
  operator: null,
  behind: 0,
  open_now: { count: 1, oldest_at: "2026-03-01T10:00:00Z" },
  total: figures,
  types: { information_query: 3, decision_required: 1, risk_confirmation: 1, knowledge_gap: 0 },
  groups: [{ name: "=refund", from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z", figures }],
  fields: [],
};
const ada = (role: string) => ({ body: { role, id: "ada", name: "Ada" } });
const ADDRESS = "/console/insights?zone=UTC&from=2026-03-01&to=2026-03-07";

test("a tile says whether its target is met, and its numbers lead to their requests", async () => {
  answerCalls({ "GET /api/v1/me": () => ada("lead"), "GET /api/v1/insights": () => ({ body: report }) });
  renderAt(ADDRESS);
  const assist = await screen.findByRole("region", { name: "Assist rate" });
  expect(assist).toHaveTextContent("15%");
  expect(assist).toHaveTextContent("on target");
  const response = screen.getByRole("region", { name: "Response time (P95)" });
  expect(response).toHaveTextContent("no answer");
  expect(response).toHaveTextContent("off target");
  const late = within(response).getByRole("link", { name: "Later: 1" });
  const to = new URL(late.getAttribute("href") ?? "", "http://here");
  expect(to.pathname).toBe("/console/requests");
  expect(Object.fromEntries(to.searchParams)).toEqual({
    status: "all",
    created_from: report.from,
    created_to: report.to,
    response: "late",
  });
});

test("an operator sees their own numbers and is not asked for others'", async () => {
  const calls = answerCalls({
    "GET /api/v1/me": () => ada("operator"),
    "GET /api/v1/insights/mine": () => ({ body: { ...report, operator: "ada" } }),
  });
  renderAt(ADDRESS);
  expect(await screen.findByRole("heading", { name: "My numbers" })).toBeVisible();
  expect(await screen.findByRole("region", { name: "Decided" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Assist rate" })).toBeNull();
  expect(calls.map(({ path }) => path)).not.toContain("/api/v1/insights");
});

test("a time in which nothing happened says so", async () => {
  const nothing = { ...figures, opened: 0, sessions: 0, decided: 0 };
  answerCalls({
    "GET /api/v1/me": () => ada("lead"),
    "GET /api/v1/insights": () => ({ body: { ...report, total: nothing } }),
  });
  renderAt(ADDRESS);
  expect(await screen.findByRole("heading", { name: "Nothing happened in this time" })).toBeVisible();
});
