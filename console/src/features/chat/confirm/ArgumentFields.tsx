import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Args } from "@/api/types";
import { type Draft, type Field, type FieldError, shownValue } from "@/features/chat/confirm/fields";

interface ArgumentFieldsProps {
  fields: readonly Field[];
  args: Args;
  draft: Draft;
  errors: Readonly<Record<string, FieldError>>;
  disabled: boolean;
  onChange: (draft: Draft) => void;
}

const LONG = 60;

/** A call's arguments as inputs, one for each. */
export function ArgumentFields({ fields, args, draft, errors, disabled, onChange }: ArgumentFieldsProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      {fields.map((field) => {
        const value = draft[field.name] ?? shownValue(field, args);
        const text = typeof value === "string" ? value : "";
        const error = errors[field.name];
        const enter = (entered: string | boolean) => {
          onChange({ ...draft, [field.name]: entered });
        };
        const shared = {
          label: field.required ? field.label : `${field.label} (${t("chat.confirm.optional")})`,
          description: field.kind === "json" ? t("chat.confirm.json") : field.description || undefined,
          error: error && t(`chat.confirm.${error}`),
          disabled,
        };
        switch (field.kind) {
          case "boolean":
            return (
              <Checkbox
                key={field.name}
                {...shared}
                checked={value === true}
                onChange={(event) => {
                  enter(event.currentTarget.checked);
                }}
              />
            );
          case "choice":
            return (
              <NativeSelect
                key={field.name}
                {...shared}
                data={[...(field.choices.includes(text) ? [] : [text]), ...field.choices]}
                value={text}
                onChange={(event) => {
                  enter(event.currentTarget.value);
                }}
              />
            );
          case "number":
          case "integer":
            return (
              <TextInput
                key={field.name}
                {...shared}
                inputMode={field.kind === "integer" ? "numeric" : "decimal"}
                value={text}
                onChange={(event) => {
                  enter(event.currentTarget.value);
                }}
              />
            );
          case "text":
          case "json":
            return (
              <Textarea
                key={field.name}
                {...shared}
                autosize
                minRows={field.kind === "json" || text.length > LONG ? 2 : 1}
                maxRows={8}
                styles={field.kind === "json" ? { input: { fontFamily: "var(--mantine-font-family-monospace)" } } : {}}
                value={text}
                onChange={(event) => {
                  enter(event.currentTarget.value);
                }}
              />
            );
        }
      })}
    </Stack>
  );
}
