import { vi } from "vitest";

export interface Call {
  method: string;
  path: string;
  body: unknown;
}

type Answer = { status?: number; body: unknown } | Error;
type Routes = Record<string, (call: Call) => Answer | Promise<Answer>>;

/** What a page asks by itself, beside what a test is about. */
const ASIDE: readonly [RegExp, unknown][] = [
  [/^GET \/api\/v1\/me$/, { role: "operator", id: "ada", name: "Ada" }],
  [/^GET \/api\/v1\/requests\/[^/]+\/similar$/, { past_answers: [], open_requests: [], passages: [] }],
];
/** Claims are told by the live feed, which a test plays itself. */
const CLAIM = /^POST \/api\/v1\/requests\/[^/]+\/(claim|release)$/;

/** Answers the page's calls by `"METHOD /path"`. Returns the calls as they come in, apart from those it makes aside. */
export function answerCalls(routes: Routes): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (path === "/api/v1/info") return json({ version: "0", agents: ["demo"], scripted: true }, 200);
    const text = await request.text();
    const call = { method: request.method, path, body: text ? (JSON.parse(text) as unknown) : null };
    const name = `${call.method} ${path}`;
    const answer = routes[name];
    const aside = ASIDE.find(([asked]) => asked.test(name));
    if (!answer && aside) return json(aside[1], 200);
    if (!answer && CLAIM.test(name)) return json({ code: "unavailable" }, 503);
    calls.push(call);
    if (!answer) throw new Error(`The test has no answer for ${call.method} ${path}`);
    const given = await answer(call);
    if (given instanceof Error) throw given;
    return json(given.body, given.status ?? 200);
  });
  return calls;
}

/** An answer that a test gives when it is time. */
export class LaterAnswer {
  give: (answer: Answer) => void = () => undefined;
  readonly given = new Promise<Answer>((answered) => {
    this.give = answered;
  });
}

function json(body: unknown, status: number): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}
