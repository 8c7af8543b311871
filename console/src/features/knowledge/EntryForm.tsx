import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Wording } from "@/api/knowledge";
import classes from "@/lists/ListPage.module.css";

interface EntryFormProps {
  /** What the fields start with. */
  wording: Wording;
  /** What the button says that saves them. */
  save?: string;
  busy: boolean;
  onSave: (wording: Wording) => void;
  onCancel: () => void;
}

export function EntryForm({ wording, save, busy, onSave, onCancel }: EntryFormProps) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState(wording.question);
  const [answer, setAnswer] = useState(wording.answer);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ question, answer });
      }}
    >
      <Textarea
        label={t("knowledge.question")}
        value={question}
        onChange={(event) => {
          setQuestion(event.currentTarget.value);
        }}
        autosize
      />
      <Textarea
        label={t("knowledge.answer")}
        value={answer}
        onChange={(event) => {
          setAnswer(event.currentTarget.value);
        }}
        autosize
        minRows={3}
        my={8}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="sm" loading={busy} disabled={!question.trim() || !answer.trim()}>
          {save ?? t("knowledge.save")}
        </Button>
        <Button size="sm" variant="default" disabled={busy} onClick={onCancel}>
          {t("knowledge.cancel")}
        </Button>
      </div>
    </form>
  );
}
