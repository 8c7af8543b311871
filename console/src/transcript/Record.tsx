import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Request } from "@/api/types";
import { PlainText } from "@/components/text/PlainText";
import { Divider } from "@/transcript/Divider";
import type { Entry } from "@/transcript/entries";
import { FailureNote } from "@/transcript/FailureNote";
import { Message } from "@/transcript/Message";
import classes from "@/transcript/Record.module.css";
import { ToolCard } from "@/transcript/ToolCard";
import type { Transcript } from "@/transcript/transcript";

interface RecordProps {
  transcript: Transcript;
  /** A request that is shown beside the record, so that it need not lead there. */
  except?: string;
}

/** The conversation with everything that the customer does not see, and the requests that wait in it. */
export function Record({ transcript, except }: RecordProps) {
  const { t } = useTranslation();
  const open = transcript.requests.filter(({ id, status }) => status === "open" && id !== except);
  return (
    <div className={classes.log} role="log" aria-label={t("sessions.transcript")}>
      {transcript.entries.map((entry) => (
        <RecordEntry key={`${entry.kind} ${entry.id}`} entry={entry} transcript={transcript} />
      ))}
      {open.map((request) => (
        <OpenRequest key={request.id} request={request} />
      ))}
    </div>
  );
}

function RecordEntry({ entry, transcript }: { entry: Entry; transcript: Transcript }) {
  switch (entry.kind) {
    case "message":
      return <Message message={entry} />;
    case "tool":
      return <ToolCard call={entry} status={transcript.status} />;
    case "failure":
      return <FailureNote failure={entry} />;
    case "divider":
      return <Divider divider={entry} />;
  }
}

function OpenRequest({ request }: { request: Request }) {
  const { t } = useTranslation();
  return (
    <div className={classes.question}>
      <PlainText text={request.question || request.tool} />{" "}
      <Link to={`/console/requests/${encodeURIComponent(request.id)}`}>{t("sessions.openRequest")}</Link>
    </div>
  );
}
