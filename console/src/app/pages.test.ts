import { matchRoutes } from "react-router";
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
