import { SegmentedControl, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { fetchSession } from "@/api/client";
import { ConnectionBanner } from "@/components/notices/ConnectionBanner";
import { BackIcon } from "@/components/icons";
import { PageLoading } from "@/components/notices/PageLoading";
import { PlainText } from "@/components/text/PlainText";
import { usePageTitle } from "@/components/usePageTitle";
import { EventList } from "@/features/sessions/EventList";
import classes from "@/features/sessions/SessionPage.module.css";
import { useSessionEvents } from "@/features/sessions/useSessionEvents";
import { QueryProblem } from "@/lists/QueryProblem";
import { formatMoment } from "@/time/format";
import { Record } from "@/transcript/Record";
import { Takeover } from "@/transcript/Takeover";

/** One conversation as an operator sees it: everything that happened, live, and the way to step in. */
export function SessionPage() {
  const { sessionId = "" } = useParams();
  return <SessionRecord key={sessionId} sessionId={sessionId} />;
}

function SessionRecord({ sessionId }: { sessionId: string }) {
  const { t, i18n } = useTranslation();
  usePageTitle(t("sessions.one"));
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") === "events" ? "events" : "transcript";
  const session = useQuery({ queryKey: ["session", sessionId], queryFn: () => fetchSession(sessionId) });
  const { transcript, events, connection } = useSessionEvents(session.isSuccess ? sessionId : null);

  if (session.isError) return <QueryProblem error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.isSuccess) return <PageLoading />;
  return (
    <div className={classes.page}>
      <ConnectionBanner connection={connection} />
      <div className={classes.body}>
        <Link to="/console/sessions" className={classes.back}>
          <BackIcon />
          {t("sessions.back")}
        </Link>
        <div className={classes.head}>
          <Title order={1} size="h3" className={classes.title ?? ""}>
            {sessionId}
          </Title>
          <SegmentedControl
            aria-label={t("sessions.view")}
            value={view}
            onChange={(value) => {
              setSearch(value === "events" ? { view: value } : {});
            }}
            data={[
              { value: "transcript", label: t("sessions.transcript") },
              { value: "events", label: t("sessions.events") },
            ]}
          />
        </div>
        <p className={classes.facts}>
          <span>{t(`sessions.is.${transcript.status}`)}</span>
          <span>
            <PlainText text={transcript.agent || session.data.agent} />
          </span>
          {transcript.takenBy && <span>{t("sessions.with", { who: transcript.takenBy })}</span>}
          <span>{formatMoment(session.data.created_at, i18n.language)}</span>
        </p>
        {view === "events" ? <EventList events={events} /> : <Record transcript={transcript} />}
      </div>
      {transcript.status !== "completed" && <Takeover sessionId={sessionId} takenBy={transcript.takenBy} />}
    </div>
  );
}
