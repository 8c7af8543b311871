import { matchRoutes, type RouteObject } from "react-router";
import { expect, test } from "vitest";
import { PAGES, pageAt } from "@/app/pages";
import { routes } from "@/app/router";
import router from "@/app/router.tsx?raw";

const written = Object.keys(import.meta.glob("/src/features/**/*Page.tsx"));

test("every page that is written has a route", () => {
  const modules = written.map((path) => path.replace("/src/", "@/").replace(".tsx", ""));
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((module) => !router.includes(`"${module}"`))).toEqual([]);
});

test("the navigation leads to pages, and each knows that it is open", () => {
  for (const { name, to } of PAGES) {
    expect([to, matchRoutes(routes, to)?.at(-1)?.route.path]).not.toEqual([to, "*"]);
    expect(pageAt(to)).toBe(name);
  }
});

/** Pages that one comes to from another, and that have no place of their own in the navigation. */
const FROM_ANOTHER = ["/console/sessions/:sessionId", "/console/requests", "/*"];

function pathsOf(found: readonly RouteObject[]): string[] {
  return found.flatMap(({ path, lazy, children = [] }) => (lazy ? [`/${path ?? ""}`] : pathsOf(children)));
}

test("every page is in the navigation, or one comes to it from another", () => {
  const reached: string[] = [...PAGES.map(({ to }) => to), ...FROM_ANOTHER];
  expect(pathsOf(routes).length).toBeGreaterThan(5);
  expect(pathsOf(routes).filter((path) => !reached.includes(path))).toEqual([]);
});
