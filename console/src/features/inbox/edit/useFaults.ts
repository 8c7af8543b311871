import { useTranslation } from "react-i18next";
import { readArguments } from "@/features/inbox/edit/values/editedArguments";
import type { EditorDraft } from "@/features/inbox/edit/values/editorDraft";
import { type Fault, faultsOf } from "@/features/inbox/edit/values/faults";
import type { Schema } from "@/features/inbox/edit/values/jsonSchema";

/** What the service said of one field. */
export interface FieldFault {
  path: string;
  message: string;
}

interface Faults {
  byPath: Readonly<Record<string, string>>;
  /** What is wrong with the whole, or at a place that has no input. */
  elsewhere: readonly [string, string][];
  /** True while the draft cannot be sent. */
  broken: boolean;
}

interface Asked {
  schema: Schema | null;
  draft: EditorDraft;
  refused: readonly FieldFault[];
  tried: boolean;
}

/** Says in the reader's language what is wrong where: what cannot be read, what does not fit, what was refused. */
export function useFaults({ schema, draft, refused, tried }: Asked): Faults {
  const { t } = useTranslation();
  const found = faultsOf(schema, draft.value);
  const words = ({ rule, message }: Fault) => (rule === null ? message : t(`editor.faults.${rule}`));
  const said: [string, string][] = [
    ...refused.map(({ path, message }): [string, string] => [path, message]),
    // What is missing is said once one wants to send: a form that starts empty is not wrong yet.
    ...found
      .filter(({ rule }) => tried || rule !== "required")
      .map((fault): [string, string] => [fault.path, words(fault)]),
    ...draft.unread.map((path): [string, string] => [path, t("editor.faults.unread")]),
  ];
  return {
    byPath: Object.fromEntries(said.filter(([path]) => path !== "")),
    elsewhere: said.filter(([path]) => path === ""),
    broken: found.length > 0 || draft.unread.length > 0 || (draft.json !== null && !readArguments(draft.json).ok),
  };
}
