import { Tabs, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Args } from "@/api/types";
import classes from "@/features/inbox/edit/ArgumentsEditor.module.css";
import { ChangeList } from "@/features/inbox/edit/ChangeList";
import { changesOf, isShort } from "@/features/inbox/edit/values/changes";
import { readArguments } from "@/features/inbox/edit/values/editedArguments";
import type { Editing } from "@/features/inbox/edit/values/editing";
import { type EditorDraft, enter, enterJson, enterUnread, jsonOf } from "@/features/inbox/edit/values/editorDraft";
import { FieldInput } from "@/features/inbox/edit/FieldInput";
import type { Schema } from "@/features/inbox/edit/values/jsonSchema";
import { completed, planOf } from "@/features/inbox/edit/values/plan";
import { type FieldFault, useFaults } from "@/features/inbox/edit/useFaults";

export interface ArgumentsEditorProps {
  schema: Schema | null;
  /** What is changed; null when there is nothing yet, as in an answer. */
  before: Args | null;
  draft: EditorDraft;
  onChange: (draft: EditorDraft) => void;
  /** What the service found wrong with the last try. */
  refused: readonly FieldFault[];
  disabled: boolean;
  /** Set after a try to send: what is missing is said then. */
  tried: boolean;
  /** Set when somebody asked for the form, so that they can type at once. */
  focused: boolean;
  /** Tells whether the draft can be sent. */
  onReady: (ready: boolean) => void;
}

/** Arguments as a form and as JSON, which stay in step, and below them what is changed. */
export function ArgumentsEditor(props: ArgumentsEditorProps) {
  const { schema, before, draft, onChange, refused, disabled, tried, focused, onReady } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState<string | null>("form");
  const shown = useRef(focused);
  const top = useRef<HTMLDivElement>(null);
  const changes = changesOf(before ?? {}, draft.value);
  const shape = completed(schema, before ?? {});
  const { byPath, elsewhere, broken } = useFaults({ schema, draft, refused, tried });
  useEffect(() => {
    onReady(!broken);
  }, [broken, onReady]);
  useEffect(() => {
    if (shown.current) top.current?.querySelector<HTMLElement>("[role=tabpanel] :is(input, textarea, select)")?.focus();
    shown.current = true;
  }, [tab]);

  const editing: Editing = {
    disabled,
    typed: draft.typed,
    faults: byPath,
    onEnter: (place, value, typed) => {
      onChange(enter(draft, place, value, typed));
    },
    onUnread: (place, text) => {
      onChange(enterUnread(draft, place, text));
    },
  };
  const json = draft.json === null ? { ok: true as const } : readArguments(draft.json);
  const jsonFault = json.ok
    ? undefined
    : json.error === null
      ? t("decision.editNotObject")
      : t("decision.editNotJson", { error: json.error });
  return (
    <div ref={top} className={classes.editor}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label={t("editor.views")}>
          <Tabs.Tab value="form">{t("editor.form")}</Tabs.Tab>
          <Tabs.Tab value="json">{t("editor.json")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form" pt="sm">
          {jsonFault && <p className={classes.fault}>{t("editor.formBehind")}</p>}
          <FieldInput plan={planOf(shape, draft.value)} value={draft.value} place={[]} editing={editing} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="sm">
          <Textarea
            className={classes.mono}
            label={t("decision.editArgs")}
            error={jsonFault}
            disabled={disabled}
            value={jsonOf(draft)}
            onChange={({ currentTarget: { value } }) => {
              onChange(enterJson(draft, value));
            }}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
          />
        </Tabs.Panel>
      </Tabs>
      {(tab === "json" ? [...elsewhere, ...Object.entries(byPath)] : elsewhere).map(([path, words]) => (
        <p key={path} className={classes.fault} role="alert">
          {path && <code>{path}</code>} {words}
        </p>
      ))}
      {before !== null && (
        <div className={classes.changes} data-short={isShort(changes) || undefined}>
          <ChangeList changes={changes} />
        </div>
      )}
    </div>
  );
}

export default ArgumentsEditor;
