import { Radio, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Option } from "@/api/types";
import type { Choice, Draft } from "@/features/inbox/bulk/decisions";

interface BulkFormProps {
  choices: readonly Choice[];
  draft: Draft;
  options: readonly Option[];
  /** Somebody tried to send it without an answer. */
  incomplete: boolean;
  onChange: (changes: Partial<Draft>) => void;
}

export function BulkForm({ choices, draft, options, incomplete, onChange }: BulkFormProps) {
  const { t } = useTranslation();
  if (choices.length === 0) return <Text size="sm">{t("bulk.nothingInCommon")}</Text>;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t("bulk.choice")}
        data={choices.map((value) => ({ value, label: t(`bulk.choices.${value}`) }))}
        value={draft.choice}
        onChange={(choice) => {
          onChange({ choice });
        }}
      />
      {draft.choice === "reject" && (
        <Textarea
          label={t("bulk.reason")}
          description={t("bulk.reasonHint")}
          autosize
          minRows={2}
          maxRows={6}
          value={draft.reason}
          onChange={(event) => {
            onChange({ reason: event.currentTarget.value });
          }}
        />
      )}
      {draft.choice === "respond" && (
        <>
          {options.length > 0 && (
            <Radio.Group
              label={t("bulk.options")}
              value={draft.option}
              onChange={(option) => {
                onChange({ option });
              }}
            >
              <Stack gap={6} mt={4}>
                {options.map(({ id, label, description }) => (
                  <Radio key={id} value={id} label={label} description={description || undefined} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <Textarea
            label={t("bulk.answer")}
            description={t("bulk.answerHint")}
            error={incomplete && t("bulk.answerMissing")}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.text}
            onChange={(event) => {
              onChange({ text: event.currentTarget.value });
            }}
          />
        </>
      )}
    </Stack>
  );
}
