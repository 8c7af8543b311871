/** Holds what a browser fetches before a page can be used: the build fails when a route's first load is too heavy. */
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What the check reads of a bundle: which file asks for which, and how heavy each is. */
export interface BuiltFile {
  /** Compressed, in bytes. */
  size: number;
  /** Files that are fetched with this one: imported scripts and styles. */
  needs: readonly string[];
  /** Files that are fetched when they are wanted. */
  later: readonly string[];
  /** The module that the file was made for, if it was made for one. */
  made: string | null;
}

const LIMIT = 300 * 1000;
const PAGE = /\/features\/\w+\/(\w+Page)\.tsx$/;

/** Returns the weight of each route's first load: the entry, the page, and everything they cannot do without. */
export function firstLoads(files: ReadonlyMap<string, BuiltFile>, entry: string): Map<string, number> {
  const start = files.get(entry);
  const loads = new Map<string, number>();
  for (const name of start?.later ?? []) {
    const page = PAGE.exec(files.get(name)?.made ?? "")?.[1];
    if (page) loads.set(page, weigh(files, [entry, name]));
  }
  return loads;
}

function weigh(files: ReadonlyMap<string, BuiltFile>, names: readonly string[]): number {
  const needed = new Set<string>();
  const add = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    files.get(name)?.needs.forEach(add);
  };
  names.forEach(add);
  return [...needed].reduce((sum, name) => sum + (files.get(name)?.size ?? 0), 0);
}

export function limitFirstLoad(limit = LIMIT): Plugin {
  return {
    name: "limit-first-load",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = new Map<string, BuiltFile>();
      const sheets = Object.keys(bundle).filter((name) => name.endsWith(".css"));
      let entry = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "asset") {
          files.set(name, { size: gzipSync(file.source).length, needs: [], later: [], made: null });
          continue;
        }
        if (file.isEntry) entry = name;
        files.set(name, {
          size: gzipSync(file.code).length,
          needs: file.isEntry ? [...file.imports, ...sheets] : file.imports,
          later: file.dynamicImports,
          made: file.facadeModuleId,
        });
      }
      const loads = firstLoads(files, entry);
      if (loads.size === 0)
        this.error("No route was found to weigh: pages are loaded lazily, from features/*/*Page.tsx.");
      for (const [page, size] of loads) {
        const heavy = `The first load of ${page} is ${(size / 1000).toFixed(0)} kB (gzip)`;
        if (size > limit)
          this.error(`${heavy}, over the limit of ${limit / 1000}: load what it does not need at once lazily.`);
        this.info(`${heavy}.`);
      }
    },
  };
}
