import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { createSession } from "@/api/client";
import { currentLanguage } from "@/i18n/i18n";

/** Returns a function that finds this conversation's session, creating it once when there is none. */
export function useSession(identity: string, sessionId: string | null): () => Promise<string> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const created = useRef<Promise<string> | null>(null);

  const create = async () => {
    const session = await createSession(currentLanguage());
    queries.setQueryData(["session", session.id], session);
    await navigate(`/chat/${encodeURIComponent(session.id)}`, { replace: true, state: { conversation: identity } });
    return session.id;
  };

  return () => {
    if (sessionId !== null) return Promise.resolve(sessionId);
    created.current ??= create().catch((error: unknown) => {
      created.current = null;
      throw error;
    });
    return created.current;
  };
}
