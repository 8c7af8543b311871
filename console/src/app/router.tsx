import { createBrowserRouter, type RouteObject } from "react-router";
import { FailurePage } from "@/app/FailurePage";
import { NotFoundPage } from "@/app/NotFoundPage";
import { Shell } from "@/app/Shell";
import { PageLoading } from "@/components/notices/PageLoading";

/** One page for both addresses (it reads the id itself), so that the draft and the messages under way survive the session's creation. */
const chat: RouteObject = {
  lazy: async () => ({ Component: (await import("@/features/chat/ChatPage")).ChatPage }),
  children: [
    { index: true, element: null },
    { path: "chat/:sessionId", element: null },
  ],
};

const inbox: RouteObject = {
  path: "console",
  lazy: async () => ({ Component: (await import("@/features/inbox/InboxPage")).InboxPage }),
  children: [
    { index: true, element: null },
    { path: "requests/:requestId", element: null },
  ],
};

const tickets: RouteObject = {
  path: "console/tickets",
  lazy: async () => ({ Component: (await import("@/features/tickets/TicketsPage")).TicketsPage }),
};

const sessions: RouteObject = {
  path: "console/sessions",
  lazy: async () => ({ Component: (await import("@/features/sessions/SessionsPage")).SessionsPage }),
};

const session: RouteObject = {
  path: "console/sessions/:sessionId",
  lazy: async () => ({ Component: (await import("@/features/sessions/SessionPage")).SessionPage }),
};

const knowledge: RouteObject = {
  path: "console/knowledge",
  lazy: async () => ({ Component: (await import("@/features/knowledge/KnowledgePage")).KnowledgePage }),
};

const audit: RouteObject = {
  path: "console/audit",
  lazy: async () => ({ Component: (await import("@/features/audit/AuditPage")).AuditPage }),
};

const insights: RouteObject = {
  path: "console/insights",
  lazy: async () => ({ Component: (await import("@/features/insights/InsightsPage")).InsightsPage }),
};

const countedRequests: RouteObject = {
  path: "console/requests",
  lazy: async () => ({ Component: (await import("@/features/insights/RequestsPage")).RequestsPage }),
};

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      {
        // Below the shell, so that its links still work when a page does not.
        errorElement: <FailurePage />,
        children: [
          chat,
          inbox,
          tickets,
          sessions,
          session,
          knowledge,
          insights,
          countedRequests,
          audit,
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
    errorElement: <FailurePage />,
  },
];

export const createRouter = () => createBrowserRouter(routes);
