import { Checkbox, Fieldset, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "@/features/inbox/edit/ArgumentsEditor.module.css";
import type { Editing } from "@/features/inbox/edit/values/editing";
import { JsonInput } from "@/features/inbox/edit/JsonInput";
import { isRecord } from "@/features/inbox/edit/values/jsonSchema";
import { ListInput } from "@/features/inbox/edit/ListInput";
import { readNumber } from "@/features/inbox/edit/values/numbers";
import { pathOf, type Place } from "@/features/inbox/edit/values/places";
import type { Plan } from "@/features/inbox/edit/values/plan";

export interface FieldProps {
  plan: Plan;
  value: unknown;
  place: Place;
  editing: Editing;
}

/** One argument as the input that fits it. */
export function FieldInput({ plan, value, place, editing }: FieldProps) {
  const { t } = useTranslation();
  const path = pathOf(place);
  const shared = {
    label: plan.required ? plan.label : `${plan.label} (${t("editor.optional")})`,
    description: plan.description || undefined,
    error: editing.faults[path],
    disabled: editing.disabled,
  };
  const emptied = plan.nullable ? null : undefined;
  switch (plan.kind) {
    case "object":
      return <ObjectInput plan={plan} value={value} place={place} editing={editing} />;
    case "list":
      return <ListInput plan={plan} value={value} place={place} editing={editing} />;
    case "json":
      return <JsonInput {...shared} path={path} value={value} place={place} editing={editing} />;
    case "text":
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={8}
          value={typeof value === "string" ? value : ""}
          onChange={({ currentTarget: { value: text } }) => {
            editing.onEnter(place, text === "" && (plan.nullable || !plan.required) ? emptied : text);
          }}
        />
      );
    case "number":
      return (
        <TextInput
          {...shared}
          inputMode="decimal"
          autoComplete="off"
          value={editing.typed[path] ?? (typeof value === "number" ? String(value) : "")}
          onChange={({ currentTarget: { value: text } }) => {
            const number = readNumber(text);
            if (text.trim() === "") editing.onEnter(place, emptied);
            else if (number === null) editing.onUnread(place, text);
            else editing.onEnter(place, number, text);
          }}
        />
      );
    case "boolean":
      return (
        <Checkbox
          {...shared}
          checked={value === true}
          indeterminate={value === undefined || value === null}
          onChange={({ currentTarget: { checked } }) => {
            editing.onEnter(place, checked);
          }}
        />
      );
    case "choice": {
      const chosen = plan.choices.indexOf(value as string);
      return (
        <NativeSelect
          {...shared}
          value={String(chosen)}
          data={[
            ...(chosen < 0 || !plan.required || plan.nullable ? [{ value: "-1", label: t("editor.none") }] : []),
            ...plan.choices.map((choice, index) => ({ value: String(index), label: String(choice) })),
          ]}
          onChange={({ currentTarget: { value: index } }) => {
            editing.onEnter(place, plan.choices[Number(index)] ?? emptied);
          }}
        />
      );
    }
  }
}

function ObjectInput({ plan, value, place, editing }: FieldProps) {
  const fields = Object.entries(plan.fields).map(([name, field]) => (
    <FieldInput
      key={name}
      plan={field}
      value={isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined}
      place={[...place, name]}
      editing={editing}
    />
  ));
  if (place.length === 0) return <Stack gap="sm">{fields}</Stack>;
  return (
    <Fieldset className={classes.part ?? ""} legend={plan.label} disabled={editing.disabled}>
      {plan.description && <p className={classes.description}>{plan.description}</p>}
      <Stack gap="sm">{fields}</Stack>
    </Fieldset>
  );
}
