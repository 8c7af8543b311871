import { expect, test } from "vitest";
import { toProblem } from "@/api/problem";

const conflict = { status: 409, statusText: "Conflict" };

test("a problem keeps the service's code, words and details", () => {
  const body = {
    code: "already_settled",
    title: "Too late",
    detail: "It is decided.",
    fix: "Reload.",
    details: { by: "ada" },
  };
  expect(toProblem(body, conflict)).toMatchObject({ ...body, status: 409 });
});

test.each(["<html>Bad gateway</html>", undefined, null, ["x"], { code: 7 }])(
  "an answer like %j still makes a problem",
  (body) => {
    expect(toProblem(body, { status: 502, statusText: "" })).toEqual({
      status: 502,
      code: "unexpected",
      title: "HTTP 502",
      detail: "",
      fix: "",
      details: {},
    });
  },
);
