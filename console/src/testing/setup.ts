import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, vi } from "vitest";
import { forgetDraftsOfPage } from "@/features/inbox/decide/drafts";
import { startI18n } from "@/i18n/i18n";
import { SocketDouble } from "@/testing/SocketDouble";
import { StreamDouble } from "@/testing/StreamDouble";

// jsdom draws nothing, so it lacks what only a drawn page has.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {
      /* nothing is ever resized */
    }
    unobserve() {
      /* nothing is ever resized */
    }
    disconnect() {
      /* nothing is ever resized */
    }
  },
);
vi.stubGlobal("matchMedia", (media: string) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
Element.prototype.scrollIntoView = () => undefined;
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

vi.stubGlobal("EventSource", StreamDouble);
vi.stubGlobal("WebSocket", SocketDouble);
// Files share one page: none gets the answers that another one has prepared.
vi.stubGlobal("fetch", () => Promise.reject(new Error("No answers were prepared: call serve() first.")));
// A list that draws only what is in sight needs something to be in sight.
Object.defineProperty(Element.prototype, "clientHeight", { get: () => 800, configurable: true });
Object.defineProperty(Element.prototype, "clientWidth", { get: () => 400, configurable: true });

// A busy machine is slow to render; only a test that fails waits this long.
configure({ asyncUtilTimeout: 10_000 });

await startI18n();

beforeEach(async () => {
  await i18next.changeLanguage("en");
});

afterEach(() => {
  cleanup();
  StreamDouble.forgetAll();
  SocketDouble.forgetAll();
  localStorage.clear();
  sessionStorage.clear();
  forgetDraftsOfPage();
});
