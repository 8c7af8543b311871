import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageLoading } from "@/components/notices/PageLoading";
import { DecisionForm, type DecisionFormProps } from "@/features/inbox/decide/DecisionForm";
import panel from "@/features/inbox/decide/DecisionPanel.module.css";
import { isSame } from "@/features/inbox/edit/values/changes";
import { draftOf } from "@/features/inbox/edit/values/editorDraft";
import { refusedFields } from "@/features/inbox/edit/values/refusedFields";

/** Fetched when somebody edits: most decisions need no form. */
const ArgumentsEditor = lazy(() => import("@/features/inbox/edit/ArgumentsEditor"));

/** Changes the arguments, in a form or as JSON: a number stays a number, a text stays a text. */
export function EditForm({ request, draft, onChange, pending, blocked, error, onSubmit, onCancel }: DecisionFormProps) {
  const { t } = useTranslation();
  const [ready, setReady] = useState(true);
  const [tried, setTried] = useState(false);
  const editor = draft.editor ?? draftOf(request.args);
  const changed = !isSame(editor.value, request.args);

  const submit = () => {
    setTried(true);
    if (ready && changed) onSubmit({ do: "decide", decision: { type: "edit", args: editor.value } });
  };

  return (
    <DecisionForm
      label={t("decision.edit")}
      submitLabel={t("decision.editSubmit")}
      pending={pending}
      blocked={blocked}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p className={panel.note}>{t("decision.editHint", { tool: request.tool })}</p>
      <Suspense fallback={<PageLoading />}>
        <ArgumentsEditor
          schema={request.args_schema ?? null}
          before={request.args}
          draft={editor}
          onChange={(next) => {
            onChange({ editor: next });
          }}
          refused={refusedFields(error)}
          disabled={pending}
          tried={tried}
          focused
          onReady={setReady}
        />
      </Suspense>
      {tried && !ready && (
        <p className={panel.fault} role="alert">
          {t("editor.notReady")}
        </p>
      )}
      {tried && ready && !changed && (
        <p className={panel.fault} role="alert">
          {t("decision.editUnchanged")}
        </p>
      )}
      {draft.editor !== null && (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            c="dimmed"
            disabled={pending}
            onClick={() => {
              onChange({ editor: null });
            }}
          >
            {t("editor.startOver")}
          </Button>
        </div>
      )}
    </DecisionForm>
  );
}
