import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { LongText } from "@/components/text/LongText";
import classes from "@/features/inbox/decide/outcome/Outcome.module.css";
import { ChangeList } from "@/features/inbox/edit/ChangeList";
import { changesOf } from "@/features/inbox/edit/values/changes";
import { isRecord } from "@/features/inbox/edit/values/jsonSchema";

const SETTLEMENTS = ["ran", "run_again", "leave"] as const;

/** What was decided, in the words and values that were sent. */
export function OutcomeAnswer({ request }: { request: Request }) {
  const { t } = useTranslation();
  const { decision } = request;
  switch (decision?.type) {
    case "edit":
      return <ChangeList changes={changesOf(request.args, decision.args)} />;
    case "reject":
      return decision.reason ? <Words label={t("outcome.reason")} text={decision.reason} /> : null;
    case "respond": {
      const chosen = request.options.find(({ id }) => id === decision.selected_option);
      const settlement = SETTLEMENTS.find((one) => one === decision.selected_option);
      const settles = request.kind === "settlement" && settlement !== undefined;
      return (
        <>
          {chosen && <Words label={t("outcome.option")} text={settles ? t(`settle.${settlement}`) : chosen.label} />}
          {decision.text && <Words label={t("outcome.answer")} text={decision.text} />}
          {isRecord(decision.data) && <ArgumentsText args={decision.data} label={t("outcome.answer")} />}
        </>
      );
    }
    case "approve":
    case undefined:
      return null;
  }
}

export function Words({ label, text }: { label: string; text: string }) {
  return (
    <p className={classes.words}>
      <span className={classes.label}>{label}</span>
      <LongText text={text} />
    </p>
  );
}
