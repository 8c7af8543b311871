/** Errors as the service tells them (`application/problem+json`), and as the network does. */

export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  fix: string;
  details: Record<string, unknown>;
}

/** A call that the service refused. `problem.code` never changes; its wording may. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** Reads a problem from whatever body came with a failed response: a proxy may answer in HTML. */
export function toProblem(body: unknown, response: Pick<Response, "status" | "statusText">): Problem {
  const fields = isRecord(body) ? body : {};
  return {
    status: response.status,
    code: text(fields.code) || "unexpected",
    title: text(fields.title) || response.statusText || `HTTP ${response.status}`,
    detail: text(fields.detail),
    fix: text(fields.fix),
    details: isRecord(fields.details) ? fields.details : {},
  };
}

/** True when the service said no, so that nothing was changed; false when its answer is not known. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status < 500;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.problem.code === code;
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.problem.status === status;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
