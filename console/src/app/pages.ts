/** The pages that the navigation leads to, in its order; each has its name in the texts under `app`. */
export const PAGES = [
  { name: "chat", to: "/" },
  { name: "inbox", to: "/console" },
  { name: "tickets", to: "/console/tickets" },
  { name: "sessions", to: "/console/sessions" },
  { name: "knowledge", to: "/console/knowledge" },
  { name: "insights", to: "/console/insights" },
  { name: "audit", to: "/console/audit" },
] as const;

export type PageName = (typeof PAGES)[number]["name"];

/** Which page an address belongs to. The inbox is at the root of the console, and the other pages are below it. */
export function pageAt(pathname: string): PageName | null {
  if (pathname === "/" || pathname.startsWith("/chat/")) return "chat";
  if (/^\/console(\/requests\/.*)?$/.test(pathname)) return "inbox";
  // The requests that a figure counts belong to insights.
  if (pathname === "/console/requests") return "insights";
  const below = PAGES.find(({ to }) => to.length > "/console".length && `${pathname}/`.startsWith(`${to}/`));
  return below?.name ?? null;
}
