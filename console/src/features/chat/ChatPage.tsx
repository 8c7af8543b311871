import { VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation, useMatch } from "react-router";
import { usePageTitle } from "@/components/usePageTitle";
import { Conversation } from "@/features/chat/Conversation";

export function ChatPage() {
  const { t } = useTranslation();
  usePageTitle(t("chat.title"));
  const location = useLocation();
  const sessionId = useMatch("/chat/:sessionId")?.params.sessionId ?? null;
  // A conversation that got its session on this page keeps its identity when the address changes;
  // any other change of address starts a fresh one.
  const started = startedAt(location.state);
  const identity = sessionId === null ? location.key : (started ?? sessionId);
  return (
    <>
      <VisuallyHidden component="h1">{t("chat.title")}</VisuallyHidden>
      <Conversation key={identity} identity={identity} sessionId={sessionId} />
    </>
  );
}

function startedAt(state: unknown): string | null {
  const known = typeof state === "object" && state !== null && "conversation" in state;
  return known && typeof state.conversation === "string" ? state.conversation : null;
}
