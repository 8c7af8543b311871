import { useTranslation } from "react-i18next";
import type { SessionStatus } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { PlainText } from "@/components/text/PlainText";
import { callState } from "@/transcript/callState";
import classes from "@/transcript/Card.module.css";
import type { ToolEntry } from "@/transcript/entries";

interface ToolCardProps {
  call: ToolEntry;
  status: SessionStatus;
  /** False for a call whose arguments are between the agent and the operators. */
  detailed?: boolean;
}

/** One tool call and how far it got. */
export function ToolCard({ call, status, detailed = true }: ToolCardProps) {
  const { t } = useTranslation();
  const state = callState(call, status);
  const word = t(`transcript.call.${state}`);
  return (
    <section
      className={classes.card}
      aria-label={t("transcript.call.label", { tool: call.tool, state: word })}
      data-testid="tool-card"
      data-state={state}
    >
      <div className={classes.head}>
        <code className={classes.tool}>
          <PlainText text={call.tool} />
        </code>
        <span className={classes.state} data-state={state}>
          {word}
        </span>
      </div>
      {detailed && <Details call={call} />}
    </section>
  );
}

function Details({ call }: { call: ToolEntry }) {
  const { t } = useTranslation();
  const decision = call.request?.decision;
  return (
    <details className={classes.details}>
      <summary>{t("transcript.call.details")}</summary>
      <p className={classes.heading}>{t("transcript.call.arguments")}</p>
      <ArgumentsText args={call.args} label={t("transcript.call.arguments")} />
      {decision?.type === "edit" && (
        <>
          <p className={classes.heading}>{t("transcript.call.editedArguments")}</p>
          <ArgumentsText args={decision.args} label={t("transcript.call.editedArguments")} />
        </>
      )}
      {call.content && (
        <>
          <p className={classes.heading}>{t("transcript.call.result")}</p>
          <pre className={classes.pre}>
            <PlainText text={call.content} />
          </pre>
        </>
      )}
    </details>
  );
}
