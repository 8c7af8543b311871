import { Kbd, Radio, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Answer, fetchSimilar } from "@/api/requests";
import { ExactText } from "@/components/text/ExactText";
import { PageLoading } from "@/components/notices/PageLoading";
import { useFocusOnMount } from "@/components/useFocusOnMount";
import { useDigitKeys } from "@/components/useKeys";
import { AnswerAll } from "@/features/inbox/decide/again/AnswerAll";
import { DecisionForm, type DecisionFormProps } from "@/features/inbox/decide/DecisionForm";
import classes from "@/features/inbox/decide/DecisionPanel.module.css";
import { PastAnswers } from "@/features/inbox/decide/again/PastAnswers";
import { draftOf } from "@/features/inbox/edit/values/editorDraft";
import { refusedFields } from "@/features/inbox/edit/values/refusedFields";

const ArgumentsEditor = lazy(() => import("@/features/inbox/edit/ArgumentsEditor"));

/** Answers a question: by an option, in text, or in a form of its own; or answers in a tool's place. */
export function RespondForm(props: DecisionFormProps) {
  const { request, draft, onChange, pending, blocked, error, onSubmit, onCancel } = props;
  const { t } = useTranslation();
  const isQuestion = request.kind === "question";
  const form = isQuestion && request.args_schema?.type === "object" ? request.args_schema : null;
  const similar = useQuery({
    queryKey: ["similar", request.id],
    queryFn: () => fetchSimilar(request.id),
    enabled: isQuestion,
    // What others answer meanwhile is worth knowing.
    refetchInterval: 30_000,
  });
  const twins = similar.data?.open_requests ?? [];
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const chosen = left === null ? [] : twins.map(({ id }) => id).filter((id) => !left.includes(id));
  const [tried, setTried] = useState(false);
  const [ready, setReady] = useState(true);
  // A form that was asked for takes the focus; one that is simply there does not.
  const field = useFocusOnMount<HTMLTextAreaElement>(onCancel !== null);
  const editor = draft.editor ?? draftOf({});
  const empty = form === null && draft.option === null && !draft.text.trim();

  const choose = (option: string) => {
    onChange({ option });
  };
  useDigitKeys((index) => {
    const option = request.options[index];
    if (option && !blocked) choose(option.id);
  });

  const submit = () => {
    setTried(true);
    if (empty || !ready) return;
    const decision: Answer = {
      type: "respond",
      text: form === null ? draft.text.trim() : "",
      selected_option: draft.option,
      ...(form === null ? {} : { data: editor.value }),
    };
    onSubmit(chosen.length > 0 ? { do: "answerAll", decision, others: chosen } : { do: "decide", decision });
  };

  return (
    <DecisionForm
      label={t("decision.respond")}
      submitLabel={
        chosen.length > 0 ? t("decision.respondSubmitAll", { count: chosen.length + 1 }) : t("decision.respondSubmit")
      }
      pending={pending}
      blocked={blocked}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {request.options.length > 0 && (
        <Radio.Group label={t("decision.respondOptions")} value={draft.option} onChange={choose}>
          <Stack gap={6} mt={4}>
            {request.options.map(({ id, label, description }, index) => (
              <Radio
                key={id}
                value={id}
                label={
                  <>
                    {index < 9 && (
                      <Kbd size="xs" mr={6} aria-hidden>
                        {index + 1}
                      </Kbd>
                    )}
                    <ExactText text={label} />
                  </>
                }
                description={description ? <ExactText text={description} /> : undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {form === null ? (
        <Textarea
          ref={field}
          label={t("decision.respondText")}
          description={t(isQuestion ? "decision.respondQuestionHint" : "decision.respondInsteadHint")}
          error={tried && empty && t("decision.respondEmpty")}
          value={draft.text}
          onChange={(event) => {
            onChange({ text: event.currentTarget.value });
          }}
          autosize
          minRows={2}
          maxRows={10}
        />
      ) : (
        <Suspense fallback={<PageLoading />}>
          <ArgumentsEditor
            schema={form}
            before={null}
            draft={editor}
            onChange={(next) => {
              onChange({ editor: next });
            }}
            refused={refusedFields(error)}
            disabled={pending}
            tried={tried}
            focused={onCancel !== null}
            onReady={setReady}
          />
        </Suspense>
      )}
      {tried && !ready && (
        <p className={classes.fault} role="alert">
          {t("editor.notReady")}
        </p>
      )}
      {form === null && (
        <PastAnswers
          request={request}
          similar={similar}
          onUse={(text, option) => {
            onChange({ text, option });
            field.current?.focus();
          }}
        />
      )}
      {twins.length > 0 && <AnswerAll twins={twins} left={left} onChange={setLeft} />}
    </DecisionForm>
  );
}
