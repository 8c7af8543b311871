import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFocusOnMount } from "@/components/useFocusOnMount";
import { DecisionForm, type DecisionFormProps } from "@/features/inbox/decide/DecisionForm";

export function RejectForm({ draft, onChange, pending, blocked, onSubmit, onCancel }: DecisionFormProps) {
  const { t } = useTranslation();
  const field = useFocusOnMount<HTMLTextAreaElement>();
  return (
    <DecisionForm
      label={t("decision.reject")}
      submitLabel={t("decision.rejectSubmit")}
      danger
      pending={pending}
      blocked={blocked}
      onSubmit={() => {
        onSubmit({ do: "decide", decision: { type: "reject", reason: draft.reason.trim() } });
      }}
      onCancel={onCancel}
    >
      <Textarea
        ref={field}
        label={t("decision.rejectReason")}
        description={t("decision.rejectHint")}
        value={draft.reason}
        onChange={(event) => {
          onChange({ reason: event.currentTarget.value });
        }}
        autosize
        minRows={2}
        maxRows={8}
      />
    </DecisionForm>
  );
}
