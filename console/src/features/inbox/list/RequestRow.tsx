import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isInWords } from "@/api/requestKinds";
import type { Request } from "@/api/types";
import { PlainText } from "@/components/text/PlainText";
import { Deadline } from "@/features/inbox/detail/Deadline";
import { requestPath } from "@/features/inbox/paths";
import { holderOf } from "@/features/inbox/live/presence";
import classes from "@/features/inbox/list/RequestRow.module.css";
import { customerOf, endingOf, headline, keyArguments } from "@/features/inbox/list/summary";
import { UrgencyMark } from "@/features/inbox/detail/UrgencyMark";
import { formatLength } from "@/time/format";

interface RequestRowProps {
  request: Request;
  now: number;
  /** Who is looking, by id. */
  me: string;
  /** One line, where there is room for it; else two. */
  wide: boolean;
  selected: boolean;
  marked: boolean;
  /** Marks or unmarks the request; `range` means everything up to here. */
  onMark: (id: string, range: boolean) => void;
  /** The address's parameters, which a row keeps. */
  search: string;
}

/** One request in the list. What was settled stays for a moment as a line that leads nowhere. */
export const RequestRow = memo(function RequestRow(props: RequestRowProps) {
  const { request, wide, selected, marked, onMark, search } = props;
  const { t } = useTranslation();
  const shared = {
    className: classes.line,
    "data-kind": request.kind,
    "data-urgency": request.urgency,
    "aria-current": selected ? ("true" as const) : undefined,
    children: wide ? <OneLine {...props} /> : <TwoLines {...props} />,
  };
  return (
    <div className={classes.row} data-wide={wide || undefined} data-settled={request.status !== "open" || undefined}>
      <label className={classes.mark}>
        <input
          type="checkbox"
          checked={marked}
          disabled={request.status !== "open"}
          aria-label={t("inbox.row.mark", { what: headline(request) })}
          onChange={(event) => {
            onMark(request.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey);
          }}
        />
      </label>
      {request.status === "open" ? (
        <Link to={{ pathname: requestPath(request.id), search }} {...shared} />
      ) : (
        <div {...shared} />
      )}
    </div>
  );
});

function OneLine({ request, now, me }: RequestRowProps) {
  return (
    <>
      <UrgencyMark urgency={request.urgency} />
      <Headline request={request} />
      <Arguments request={request} />
      <span className={classes.dim}>{request.agent}</span>
      <Customer request={request} />
      {request.status === "open" ? <Holder request={request} now={now} me={me} /> : <Ending request={request} />}
      <Age request={request} now={now} />
      <TimeLeft request={request} now={now} />
    </>
  );
}

function TwoLines({ request, now, me }: RequestRowProps) {
  return (
    <>
      <span className={classes.first}>
        <Headline request={request} />
        {request.urgency === "high" && <UrgencyMark urgency="high" />}
        <TimeLeft request={request} now={now} />
      </span>
      <span className={classes.second}>
        <Arguments request={request} />
        <span className={classes.dim}>{request.agent}</span>
        <Customer request={request} />
        {request.status === "open" ? <Holder request={request} now={now} me={me} /> : <Ending request={request} />}
        <Age request={request} now={now} />
      </span>
    </>
  );
}

function Headline({ request }: { request: Request }) {
  return (
    <span className={classes.headline}>
      <PlainText text={headline(request)} />
    </span>
  );
}

function Arguments({ request }: { request: Request }) {
  const { t } = useTranslation();
  if (isInWords(request)) {
    return (
      <span className={classes.arguments}>
        {request.question_type && (
          <span className={classes.name}>{t(`request.questionType.${request.question_type}`)}</span>
        )}
      </span>
    );
  }
  return (
    <span className={classes.arguments}>
      {keyArguments(request.args).map(({ name, value }) => (
        <span key={name} className={classes.argument}>
          <span className={classes.name}>{name}</span> <PlainText text={value} />
        </span>
      ))}
    </span>
  );
}

function Customer({ request }: { request: Request }) {
  return (
    <span className={classes.customer} title={request.session_id}>
      <PlainText text={customerOf(request)} />
    </span>
  );
}

function Holder({ request, now, me }: { request: Request; now: number; me: string }) {
  const { t } = useTranslation();
  const who = holderOf(request, now);
  return (
    <span className={classes.holder} data-held={who ? (who === me ? "mine" : "other") : undefined}>
      {who && (who === me ? t("inbox.row.claimedByMe") : t("inbox.row.claimed", { who }))}
    </span>
  );
}

function Ending({ request }: { request: Request }) {
  const { t } = useTranslation();
  const who = request.decided_by?.id ?? "";
  return <span className={classes.ending}>{t(`inbox.row.ended.${endingOf(request)}`, { who })}</span>;
}

function Age({ request, now }: { request: Request; now: number }) {
  const { t, i18n } = useTranslation();
  const length = formatLength(now - Date.parse(request.created_at), i18n.language);
  return (
    <time className={classes.age} dateTime={request.created_at} title={t("inbox.row.age", { length })}>
      {length}
    </time>
  );
}

function TimeLeft({ request, now }: { request: Request; now: number }) {
  if (!request.deadline || request.status !== "open") return <span className={classes.noDeadline} />;
  return <Deadline at={request.deadline} now={now} />;
}
