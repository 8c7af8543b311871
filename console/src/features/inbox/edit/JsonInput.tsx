import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { escapeHidden } from "@/components/text/hiddenCharacters";
import classes from "@/features/inbox/edit/ArgumentsEditor.module.css";
import type { Editing } from "@/features/inbox/edit/values/editing";
import type { Place } from "@/features/inbox/edit/values/places";

interface JsonInputProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  disabled: boolean;
  path: string;
  value: unknown;
  place: Place;
  editing: Editing;
}

/** One argument as JSON: for what no other input fits, and for texts with characters that an input would hide. */
export function JsonInput({ path, value, place, editing, description, ...shared }: JsonInputProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      {...shared}
      className={classes.mono}
      description={[description, t("editor.asJson")].filter(Boolean).join(" · ")}
      autosize
      minRows={1}
      maxRows={10}
      spellCheck={false}
      value={editing.typed[path] ?? (value === undefined ? "" : escapeHidden(JSON.stringify(value, null, 2)))}
      onChange={({ currentTarget: { value: text } }) => {
        const read = text.trim() === "" ? { value: undefined } : parse(text);
        if (read === null) editing.onUnread(place, text);
        else editing.onEnter(place, read.value, text);
      }}
    />
  );
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}
