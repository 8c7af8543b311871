import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { limitFirstLoad } from "./firstLoad.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "/",
  plugins: [react(), limitFirstLoad()],
  resolve: { alias: { "@": here("./src") } },
  build: {
    // The Python package serves this folder; nobody commits it.
    outDir: here("../src/handraise/service/static"),
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy refuses scripts and fonts from data: addresses.
    assetsInlineLimit: 0,
    // A page fetches a dozen files instead of eighty: what two of them need is one file, and one sheet is for all.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] } } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:2024", ws: true } } },
  test: {
    environment: "jsdom",
    // One page for all files instead of a new one each, which took two thirds of the time: setup.ts leaves nothing behind in it.
    isolate: false,
    setupFiles: ["./src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
