import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { Dialog } from "@/components/Dialog";
import classes from "@/features/inbox/bulk/Bulk.module.css";
import { BulkForm } from "@/features/inbox/bulk/BulkForm";
import { BulkItem } from "@/features/inbox/bulk/BulkItem";
import { choicesFor, decisionOf, type Draft, takers } from "@/features/inbox/bulk/decisions";
import { Summary } from "@/features/inbox/bulk/Summary";
import { useTogether } from "@/features/inbox/bulk/useTogether";

interface BulkDialogProps {
  /** What was marked when the dialog opened: exactly this is shown, and nothing else is decided. */
  requests: readonly Request[];
  /** What was settled since, by its id. */
  settled: (id: string) => Request | undefined;
  onSettled: (...requests: Request[]) => void;
  onClose: () => void;
}

/** Shows what would be decided for each, decides it, and says for each what became of it. */
export function BulkDialog({ requests, settled, onSettled, onClose }: BulkDialogProps) {
  const { t } = useTranslation();
  const small = useMediaQuery("(max-width: 48em)");
  const [shown] = useState(requests);
  const { stage, results, decide } = useTogether(onSettled);
  const choices = choicesFor(shown);
  const [draft, setDraft] = useState<Draft>({ choice: choices[0] ?? "approve", reason: "", text: "", option: null });
  const [incomplete, setIncomplete] = useState(false);

  // What somebody else has settled meanwhile is not decided again.
  const taking = takers(shown, draft.choice).filter(({ id }) => !settled(id) || results.has(id));
  const unknown = taking.filter(({ id }) => results.get(id)?.state === "unknown");
  const submit = () => {
    const decision = decisionOf(draft);
    setIncomplete(decision === null);
    if (decision && stage === "preview") decide(taking, decision);
    else if (decision && stage === "over" && unknown.length > 0) decide(unknown, decision);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      fullScreen={small}
      title={t("bulk.title", { count: shown.length })}
      closeLabel={t("bulk.close")}
      closeOnClickOutside={stage === "preview"}
      onKeyDown={(event) => {
        const sends = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        // A held key repeats: it must not decide what nobody has looked at.
        if (sends && !event.repeat && !event.nativeEvent.isComposing) submit();
      }}
    >
      <div className={classes.body}>
        {stage === "preview" ? (
          <BulkForm
            choices={choices}
            draft={draft}
            options={taking[0]?.options ?? []}
            incomplete={incomplete}
            onChange={(changes) => {
              setDraft({ ...draft, ...changes });
              setIncomplete(false);
            }}
          />
        ) : (
          <Summary results={results} total={taking.length} working={stage === "working"} />
        )}
        <ol className={classes.items} aria-label={t("bulk.items")}>
          {shown.map((request) => (
            <BulkItem
              key={request.id}
              request={request}
              settled={settled(request.id)}
              takes={takers([request], draft.choice).length > 0}
              result={results.get(request.id)}
              working={stage === "working"}
            />
          ))}
        </ol>
        <div className={classes.actions}>
          {stage === "preview" && choices.length > 0 && (
            <Button
              color={draft.choice === "reject" ? "red" : undefined}
              disabled={taking.length === 0}
              onClick={submit}
            >
              {t(`bulk.submit.${draft.choice}`, { count: taking.length })}
            </Button>
          )}
          {stage === "over" && unknown.length > 0 && (
            <Button onClick={submit}>{t("bulk.again", { count: unknown.length })}</Button>
          )}
          <Button variant="default" onClick={onClose} loading={stage === "working"}>
            {t(stage === "preview" ? "bulk.cancel" : "bulk.close")}
          </Button>
          {stage === "preview" && choices.length > 0 && <span className={classes.hint}>{t("bulk.hint")}</span>}
        </div>
      </div>
    </Dialog>
  );
}
