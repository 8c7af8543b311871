import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { draftEntry, type Wording } from "@/api/knowledge";
import { hasCode } from "@/api/problem";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import { EntryForm } from "@/features/knowledge/EntryForm";
import classes from "@/lists/ListPage.module.css";

interface NewEntryProps {
  onDrafted: () => void;
  onCancel: () => void;
}

/** A question that nobody has asked yet, with its answer. It becomes a draft, as every other one. */
export function NewEntry({ onDrafted, onCancel }: NewEntryProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const draft = useMutation({
    mutationFn: ({ wording, both }: { wording: Wording; both: boolean }) => draftEntry(wording, both),
    onSuccess: () => {
      onDrafted();
      return queries.invalidateQueries({ queryKey: ["knowledge"] });
    },
  });
  // The service refuses a second entry that asks the same, unless both are wanted.
  const isTwin = hasCode(draft.error, "already_known");
  return (
    <section className={classes.card} aria-label={t("knowledge.new")}>
      <EntryForm
        wording={{ question: "", answer: "" }}
        save={isTwin ? t("knowledge.keepBoth") : undefined}
        busy={draft.isPending}
        onSave={(wording) => {
          draft.mutate({ wording, both: isTwin });
        }}
        onCancel={onCancel}
      />
      {draft.isError && <ProblemAlert title={t("knowledge.refused")} error={draft.error} />}
    </section>
  );
}
