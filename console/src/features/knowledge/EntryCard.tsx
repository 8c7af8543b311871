import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { editEntry, type Entry, mergeEntry, publishEntry, retireEntry } from "@/api/knowledge";
import { hasCode } from "@/api/problem";
import { PlainText } from "@/components/text/PlainText";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import { EntryForm } from "@/features/knowledge/EntryForm";
import { SimilarEntries } from "@/features/knowledge/SimilarEntries";
import classes from "@/lists/ListPage.module.css";
import { formatMoment } from "@/time/format";

type Act = () => Promise<Entry>;

/** One question with its answer, and what a curator can do with it. */
export function EntryCard({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const act = useMutation({
    mutationFn: (what: Act) => what(),
    onSuccess: () => {
      setEditing(false);
      return queries.invalidateQueries({ queryKey: ["knowledge"] });
    },
  });
  const run = (what: Act) => () => {
    act.mutate(what);
  };
  // The service refuses a second entry that asks the same, unless both are wanted.
  const isTwin = hasCode(act.error, "already_known");
  const look = { size: "sm", variant: "default", disabled: act.isPending } as const;
  return (
    <li className={classes.card}>
      <p className={classes.meta}>
        <span>{t(`knowledge.is.${entry.status}`)}</span>
        <span>{t("knowledge.uses", { count: entry.uses })}</span>
        <time dateTime={entry.updated_at}>{formatMoment(entry.updated_at, i18n.language)}</time>
      </p>
      {editing ? (
        <EntryForm
          wording={entry}
          busy={act.isPending}
          onSave={(changes) => {
            act.mutate(() => editEntry(entry, changes));
          }}
          onCancel={() => {
            setEditing(false);
          }}
        />
      ) : (
        <>
          <p className={classes.text}>
            <strong>
              <PlainText text={entry.question} />
            </strong>
          </p>
          <p className={classes.text}>
            <PlainText text={entry.answer} />
          </p>
        </>
      )}
      {entry.status !== "retired" && (
        <SimilarEntries
          entry={entry}
          busy={act.isPending}
          onMerge={(into, takeAnswer) => {
            act.mutate(() => mergeEntry(entry, into, takeAnswer));
          }}
        />
      )}
      {act.isError && <ProblemAlert title={t("knowledge.refused")} error={act.error} />}
      {entry.status !== "retired" && !editing && (
        <div className={classes.buttons}>
          {entry.status === "draft" && (
            <Button size="sm" loading={act.isPending} onClick={run(() => publishEntry(entry, isTwin))}>
              {t(isTwin ? "knowledge.publishAnyway" : "knowledge.publish")}
            </Button>
          )}
          <Button
            {...look}
            onClick={() => {
              setEditing(true);
            }}
          >
            {t("knowledge.edit")}
          </Button>
          <Button {...look} onClick={run(() => retireEntry(entry))}>
            {t("knowledge.retire")}
          </Button>
        </div>
      )}
    </li>
  );
}
