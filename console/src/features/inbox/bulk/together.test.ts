import { describe, expect, test } from "vitest";
import type { Decision, Request } from "@/api/types";
import { decideTogether, type Result } from "@/features/inbox/bulk/together";
import { aRequest, approvedBy } from "@/testing/examples";
import { answerCalls } from "@/testing/service";

const [a, b, c] = ["a", "b", "c"].map((id) => aRequest({ id })) as [Request, Request, Request];
const asked = [a, b, c].map((each) => ({ ...each, kind: "question" as const }));
const approve: Decision = { type: "approve" };
const answer: Decision = { type: "respond", text: "Yes.", selected_option: null };
const lost = { status: 409, body: { code: "already_settled", detail: "Too late", details: {} } };

async function results(requests: Request[], decision: Decision): Promise<Record<string, Result>> {
  const found: Record<string, Result> = {};
  await decideTogether(requests, decision, {
    key: "k",
    onResult: (id, result) => {
      found[id] = result;
    },
  });
  return found;
}

describe("several calls", () => {
  test("are decided one by one, and each says what became of it", async () => {
    const calls = answerCalls({
      "POST /api/v1/requests/a/decision": () => ({ body: approvedBy("ada", a) }),
      "POST /api/v1/requests/b/decision": () => lost,
      "GET /api/v1/requests/b": () => ({ body: approvedBy("bob", b) }),
      "POST /api/v1/requests/c/decision": () => ({
        status: 409,
        body: { code: "claimed_by_another", detail: "bob has it", fix: "Wait." },
      }),
    });
    const found = await results([a, b, c], approve);
    expect(found.a?.state).toBe("done");
    expect(found.b).toMatchObject({ state: "lost", request: { decided_by: { id: "bob" } } });
    expect(found.c).toEqual({ state: "refused", detail: "bob has it", fix: "Wait." });
    expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      approve,
      approve,
      approve,
    ]);
  });

  test("that get no answer are not said to have failed", async () => {
    answerCalls({ "POST /api/v1/requests/a/decision": () => new TypeError("no network") });
    expect(await results([a], approve)).toEqual({ a: { state: "unknown" } });
  });

  test("wait when the service says that it is too much", async () => {
    let tries = 0;
    answerCalls({
      "POST /api/v1/requests/a/decision": () =>
        ++tries === 1
          ? { status: 429, body: { code: "too_many_requests", detail: "Slowly", details: { retry_after: 1 } } }
          : { body: approvedBy("ada", a) },
    });
    expect((await results([a], approve)).a?.state).toBe("done");
  });
});

describe("several questions that ask the same", () => {
  const all = (id: string) => `POST /api/v1/requests/${id}/decision-for-all`;

  test("are answered in one call", async () => {
    const calls = answerCalls({
      [all("a")]: () => ({
        body: {
          items: [
            { request_id: "a", request: approvedBy("ada", a), code: "", detail: "" },
            { request_id: "b", request: null, code: "claimed_by_another", detail: "bob has it" },
            { request_id: "c", request: approvedBy("ada", c), code: "", detail: "" },
          ],
        },
      }),
    });
    const found = await results(asked, answer);
    expect(Object.values(found).map(({ state }) => state)).toEqual(["done", "refused", "done"]);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.body).toEqual({ decision: answer, request_ids: ["a", "b", "c"] });
  });

  test("go on with the next when somebody was first with the leading one", async () => {
    answerCalls({
      [all("a")]: () => lost,
      "GET /api/v1/requests/a": () => ({ body: approvedBy("bob", a) }),
      [all("b")]: () => ({
        body: {
          items: ["b", "c"].map((id) => ({ request_id: id, request: aRequest({ id }), code: "", detail: "" })),
        },
      }),
    });
    const found = await results(asked, answer);
    expect([found.a?.state, found.b?.state, found.c?.state]).toEqual(["lost", "done", "done"]);
  });

  test("leave out one that asks something else, and answer the others", async () => {
    let tries = 0;
    answerCalls({
      [all("a")]: () =>
        ++tries === 1
          ? { status: 422, body: { code: "invalid_input", detail: "", details: { request_ids: ["b"] } } }
          : {
              body: {
                items: ["a", "c"].map((id) => ({ request_id: id, request: aRequest({ id }), code: "", detail: "" })),
              },
            },
      "GET /api/v1/requests/b": () => ({ body: b }),
    });
    const found = await results(asked, answer);
    expect(found).toMatchObject({ a: { state: "done" }, b: { state: "refused" }, c: { state: "done" } });
  });
});
