import { Button, Kbd } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { DecisionKind, Request } from "@/api/types";
import { useKeys } from "@/components/useKeys";
import classes from "@/features/inbox/decide/DecisionPanel.module.css";
import type { DecisionFormProps } from "@/features/inbox/decide/DecisionForm";
import { DecisionProblem } from "@/features/inbox/decide/DecisionProblem";
import type { Draft, FilledIn, FormKind } from "@/features/inbox/decide/drafts";
import { Presence } from "@/features/inbox/decide/Presence";
import { RejectForm } from "@/features/inbox/decide/RejectForm";
import { RespondForm } from "@/features/inbox/decide/RespondForm";
import { SettleForm } from "@/features/inbox/decide/SettleForm";
import type { Claim } from "@/features/inbox/decide/useClaim";
import type { Act, Deciding } from "@/features/inbox/decide/useDecide";
import { EditForm } from "@/features/inbox/edit/EditForm";

interface DecisionPanelProps {
  request: Request;
  deciding: Deciding;
  claim: Claim;
  form: FormKind | null;
  resting: FormKind | null;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
}

/** The form of each decision that is filled in. */
const FORMS: Record<FormKind, ComponentType<DecisionFormProps>> = {
  edit: EditForm,
  reject: RejectForm,
  respond: RespondForm,
  settle: SettleForm,
};

/** The buttons behind the first one, in their order, each with its key if it has one. */
const BUTTONS: Record<FilledIn, { key?: string }> = { edit: { key: "e" }, respond: {}, reject: { key: "r" } };

/** Offers the decisions that this request takes, and only those. */
export function DecisionPanel({ request, deciding, claim, form, resting, draft, onChange }: DecisionPanelProps) {
  const { t } = useTranslation();
  const takes = (kind: DecisionKind) => request.allowed.includes(kind);
  const blocked = claim.by !== null;
  const busy = deciding.isPending || blocked;

  const submit = (act: Act) => {
    if (!busy) deciding.mutate(act);
  };
  const approve = () => {
    submit({ do: "decide", decision: { type: "approve" } });
  };
  const open = (kind: FilledIn) => {
    if (!takes(kind) || busy) return;
    deciding.reset();
    onChange({ form: kind });
  };
  const close = () => {
    onChange({ form: null });
  };
  useKeys((key, event) => {
    // A held key repeats: it must not decide what comes next.
    if (event.repeat) return;
    if (key === "a" && takes("approve") && form === null) approve();
    if (key === "c") claim.toggle();
    if (key !== "e" && key !== "r") return;
    // Else the letter itself would be the first thing in the form's field.
    event.preventDefault();
    open(key === "e" ? "edit" : "reject");
  });

  const Form = form && FORMS[form];
  const formProps = {
    request,
    draft,
    onChange,
    pending: deciding.isPending,
    blocked,
    error: deciding.error,
    onSubmit: submit,
    onCancel: form === resting ? null : close,
  };
  return (
    <section className={classes.panel} aria-label={t("decision.label")} data-form={form ?? undefined}>
      {deciding.isError && <DecisionProblem error={deciding.error} />}
      <Presence claim={claim} />
      {Form && <Form {...formProps} />}
      {form === resting && (
        <div className={classes.buttons}>
          {takes("approve") && (
            <Button
              loading={deciding.isPending}
              disabled={blocked}
              aria-keyshortcuts="a"
              rightSection={<Key name="a" />}
              onClick={approve}
            >
              {t("decision.approve")}
            </Button>
          )}
          {(Object.keys(BUTTONS) as FilledIn[])
            .filter((kind) => takes(kind) && kind !== resting && resting !== "settle")
            .map((kind) => (
              <Button
                key={kind}
                variant="default"
                c={kind === "reject" && !busy ? "var(--danger-text)" : undefined}
                disabled={busy}
                aria-keyshortcuts={BUTTONS[kind].key}
                rightSection={BUTTONS[kind].key && <Key name={BUTTONS[kind].key} />}
                onClick={() => {
                  open(kind);
                }}
              >
                {t(kind === "respond" ? "decision.respondInstead" : `decision.${kind}`)}
              </Button>
            ))}
        </div>
      )}
    </section>
  );
}

/** Decoration: `aria-keyshortcuts` says it to those who do not see it. */
function Key({ name }: { name: string }) {
  return (
    <Kbd size="xs" aria-hidden className={classes.key ?? ""}>
      {name}
    </Kbd>
  );
}
