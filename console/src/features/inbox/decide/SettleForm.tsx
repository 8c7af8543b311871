import { Checkbox, Kbd, Radio, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Settlement } from "@/api/requests";
import { Callout } from "@/components/notices/Callout";
import { useDigitKeys } from "@/components/useKeys";
import { DecisionForm, type DecisionFormProps } from "@/features/inbox/decide/DecisionForm";
import classes from "@/features/inbox/decide/DecisionPanel.module.css";

const SETTLEMENTS: readonly Settlement[] = ["ran", "run_again", "leave"];

/** Settles whether a call ran that a crash cut off. Nobody but a person can find that out. */
export function SettleForm({ request, draft, onChange, pending, blocked, onSubmit, onCancel }: DecisionFormProps) {
  const { t } = useTranslation();
  const chosen = SETTLEMENTS.find((one) => one === draft.option) ?? null;
  const [checked, setChecked] = useState(false);
  const [tried, setTried] = useState(false);
  const choose = (settlement: string) => {
    onChange({ option: settlement });
    setTried(false);
  };
  useDigitKeys((index) => {
    const settlement = SETTLEMENTS[index];
    if (settlement && !blocked) choose(settlement);
  });
  const submit = () => {
    setTried(true);
    if (chosen === null || (chosen === "run_again" && !checked)) return;
    onSubmit({ do: "settle", settlement: chosen, result: chosen === "ran" ? draft.text.trim() : "" });
  };
  return (
    <DecisionForm
      label={t("settle.title")}
      submitLabel={chosen === null ? t("settle.submit.none") : t(`settle.submit.${chosen}`)}
      danger={chosen === "run_again"}
      pending={pending}
      blocked={blocked}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Callout tone="caution" title={t("settle.title")}>
        <p>{t("settle.text", { tool: request.tool })}</p>
      </Callout>
      <Radio.Group
        label={t("settle.which")}
        value={chosen}
        onChange={choose}
        error={tried && chosen === null && t("settle.choose")}
      >
        <Stack gap={6} mt={4}>
          {SETTLEMENTS.map((settlement, index) => (
            <Radio
              key={settlement}
              value={settlement}
              label={
                <>
                  <Kbd size="xs" mr={6} aria-hidden>
                    {index + 1}
                  </Kbd>
                  {t(`settle.${settlement}`)}
                </>
              }
              description={t(`settle.${settlement}Text`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === "ran" && (
        <Textarea
          label={t("settle.result")}
          description={t("settle.resultHint")}
          value={draft.text}
          onChange={(event) => {
            onChange({ text: event.currentTarget.value });
          }}
          autosize
          minRows={2}
          maxRows={8}
        />
      )}
      {chosen === "run_again" && (
        <Checkbox
          className={classes.risk}
          label={t("settle.checked")}
          error={tried && !checked && t("settle.mustCheck")}
          checked={checked}
          onChange={({ currentTarget }) => {
            setChecked(currentTarget.checked);
          }}
        />
      )}
    </DecisionForm>
  );
}
