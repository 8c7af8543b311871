import { Checkbox, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { ExactText } from "@/components/text/ExactText";
import classes from "@/features/inbox/decide/again/AnswerAll.module.css";
import { formatLength } from "@/time/format";
import { useNow } from "@/time/useNow";

interface AnswerAllProps {
  twins: readonly Request[];
  /** Those that were left out; null when only the one at hand is answered. */
  left: readonly string[] | null;
  onChange: (left: readonly string[] | null) => void;
}

/** Lets one answer serve all who ask the same, and shows which those are before it is sent. */
export function AnswerAll({ twins, left, onChange }: AnswerAllProps) {
  const { t, i18n } = useTranslation();
  const now = useNow(10_000);
  return (
    <section className={classes.all} aria-label={t("answerAll.label", { count: twins.length })}>
      <Checkbox
        label={t("answerAll.label", { count: twins.length })}
        description={t("answerAll.hint")}
        checked={left !== null}
        onChange={({ currentTarget: { checked } }) => {
          onChange(checked ? [] : null);
        }}
      />
      {left !== null && (
        <Stack gap={6} mt={8} ms={30}>
          {twins.map((twin) => (
            <Checkbox
              key={twin.id}
              size="xs"
              label={<ExactText text={twin.question} />}
              description={[
                t("answerAll.asked", { length: formatLength(now - Date.parse(twin.created_at), i18n.language) }),
                twin.session_id,
                ...(twin.claimed_by ? [t("claim.other", { who: twin.claimed_by })] : []),
              ].join(" · ")}
              checked={!left.includes(twin.id)}
              onChange={({ currentTarget: { checked } }) => {
                onChange(checked ? left.filter((id) => id !== twin.id) : [...left, twin.id]);
              }}
            />
          ))}
        </Stack>
      )}
    </section>
  );
}
