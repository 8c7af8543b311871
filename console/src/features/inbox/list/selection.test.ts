import { describe, expect, test } from "vitest";
import { type Listed, toListed } from "@/features/inbox/live/listed";
import { neighbour } from "@/features/inbox/list/selection";
import { aRequest } from "@/testing/examples";

const [a, b, c] = ["a", "b", "c"].map((id) => toListed(aRequest({ id }))) as [Listed, Listed, Listed];

describe("moving through the list", () => {
  test("starts at the first request", () => {
    expect(neighbour([a, b], null, 1)).toBe(a);
    expect(neighbour([], null, 1)).toBeUndefined();
  });

  test("goes one on or one back and stops at the ends", () => {
    expect(neighbour([a, b, c], b, 1)).toBe(c);
    expect(neighbour([a, b, c], b, -1)).toBe(a);
    expect(neighbour([a, b, c], c, 1)).toBeUndefined();
  });

  test("goes on from where a settled request was", () => {
    expect(neighbour([a, c], b, 1)).toBe(c);
    expect(neighbour([a, c], b, -1)).toBe(a);
    expect(neighbour([a, b], c, 1)).toBe(b);
  });
});
