import { useState } from "react";
import { useLocation } from "react-router";

/** Where the chat link leads: back to the conversation that was open last in this tab. */
export function useChatLink(): string {
  const { pathname } = useLocation();
  const [path, setPath] = useState("/");
  const active = pathname === "/" || pathname.startsWith("/chat/");
  if (active && pathname !== path) setPath(pathname);
  return path;
}
