import { memo } from "react";
import { useTranslation } from "react-i18next";
import { isInWords } from "@/api/requestKinds";
import type { Request } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/features/inbox/bulk/Bulk.module.css";
import type { Result } from "@/features/inbox/bulk/together";
import { customerOf, endingOf, headline } from "@/features/inbox/list/summary";

interface BulkItemProps {
  request: Request;
  /** How it ended meanwhile, if it did. */
  settled: Request | undefined;
  /** Whether it takes the decision that is chosen. */
  takes: boolean;
  result: Result | undefined;
  working: boolean;
}

/** One of the marked requests: exactly what would run or is asked, and what became of it. */
export const BulkItem = memo(function BulkItem(props: BulkItemProps) {
  const { request } = props;
  const { t } = useTranslation();
  const isQuestion = isInWords(request);
  const told = isQuestion ? request.context : request.args;
  return (
    <li className={classes.item} data-state={props.result?.state} data-left-out={!props.takes || undefined}>
      <div className={classes.head}>
        <strong className={classes.what} data-kind={request.kind}>
          <PlainText text={headline(request)} />
        </strong>
        <span className={classes.whose}>
          <PlainText text={[request.agent, customerOf(request)].filter(Boolean).join(" · ")} />
        </span>
        <State {...props} />
      </div>
      {(!isQuestion || Object.keys(told).length > 0) && (
        <ArgumentsText args={told} label={t(isQuestion ? "bulk.context" : "bulk.arguments")} />
      )}
    </li>
  );
});

function State({ settled, takes, result, working }: BulkItemProps) {
  const { t } = useTranslation();
  const told = (state: string, text: string) => (
    <span className={classes.state} data-state={state}>
      {text}
    </span>
  );
  const ending = (request: Request) => t(`inbox.row.ended.${endingOf(request)}`, { who: request.decided_by?.id ?? "" });
  switch (result?.state) {
    case "done":
      return told("done", t("bulk.done"));
    case "lost":
      return told("lost", t("bulk.lost", { how: ending(result.request) }));
    case "refused":
      return told("refused", `${t("bulk.refused")} ${result.detail || t("bulk.asksElse")} ${result.fix}`.trim());
    case "unknown":
      return told("unknown", t("bulk.unknown"));
    case undefined:
      if (settled) return told("lost", t("bulk.goneMeanwhile", { how: ending(settled) }));
      if (!takes) return told("left-out", t("bulk.leftOut"));
      return working ? told("working", t("bulk.working")) : null;
  }
}
