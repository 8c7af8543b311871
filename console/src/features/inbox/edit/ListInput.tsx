import { Button, CloseButton, Fieldset, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PlusIcon } from "@/components/icons";
import classes from "@/features/inbox/edit/ArgumentsEditor.module.css";
import { FieldInput, type FieldProps } from "@/features/inbox/edit/FieldInput";
import { pathOf } from "@/features/inbox/edit/values/places";
import type { Plan } from "@/features/inbox/edit/values/plan";

/** A list whose items are all alike: each an input of its own, to add to and to take from. */
export function ListInput({ plan, value, place, editing }: FieldProps) {
  const { t } = useTranslation();
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const item = plan.item;
  if (item === null) return null;
  const fault = editing.faults[pathOf(place)];
  const legend = plan.required ? plan.label : `${plan.label} (${t("editor.optional")})`;
  return (
    <Fieldset className={classes.part ?? ""} legend={legend} disabled={editing.disabled}>
      {plan.description && <p className={classes.description}>{plan.description}</p>}
      <Stack gap="xs">
        {items.map((entry, index) => (
          <div key={index} className={classes.listItem}>
            <div className={classes.grow}>
              <FieldInput
                plan={{ ...item, label: t("editor.item", { number: index + 1 }) }}
                value={entry}
                place={[...place, index]}
                editing={editing}
              />
            </div>
            <CloseButton
              aria-label={t("editor.remove", { number: index + 1 })}
              onClick={() => {
                editing.onEnter(
                  place,
                  items.filter((_, other) => other !== index),
                );
              }}
            />
          </div>
        ))}
        {fault && <p className={classes.fault}>{fault}</p>}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() => {
              editing.onEnter(place, [...items, blank(item)]);
            }}
          >
            {t("editor.add")}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

/** What a new item starts as. Null where nothing fits: its field then says what is needed. */
function blank(plan: Plan): unknown {
  switch (plan.kind) {
    case "text":
      return "";
    case "number":
      return 0;
    case "boolean":
      return false;
    case "choice":
      return plan.choices[0];
    case "list":
      return [];
    case "object":
      return Object.fromEntries(
        Object.entries(plan.fields)
          .filter(([, field]) => field.required)
          .map(([name, field]) => [name, blank(field)]),
      );
    case "json":
      return null;
  }
}
