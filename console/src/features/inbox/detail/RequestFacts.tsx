import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { Deadline } from "@/features/inbox/detail/Deadline";
import classes from "@/features/inbox/detail/RequestFacts.module.css";
import { UrgencyMark } from "@/features/inbox/detail/UrgencyMark";
import { formatMoment } from "@/time/format";
import { useNow } from "@/time/useNow";

/** Where the request comes from and how long it can wait. */
export function RequestFacts({ request }: { request: Request }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const open = request.status === "open";
  return (
    <dl className={classes.facts} aria-label={t("request.facts")}>
      {request.agent && <Fact name={t("request.agent")}>{request.agent}</Fact>}
      <Fact name={t("request.asked")}>
        <time dateTime={request.created_at}>{formatMoment(request.created_at, i18n.language)}</time>
      </Fact>
      <Fact name={t("request.urgency")}>
        <UrgencyMark urgency={request.urgency} />
      </Fact>
      {open && (
        <Fact name={t("request.deadline")}>
          {request.deadline ? <Deadline at={request.deadline} now={now} /> : t("request.noDeadline")}
        </Fact>
      )}
      <Fact name={t("request.session")}>
        <code>{request.session_id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
