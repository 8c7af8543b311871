import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Entry, fetchSimilarEntries } from "@/api/knowledge";
import { PlainText } from "@/components/text/PlainText";
import classes from "@/lists/ListPage.module.css";

interface SimilarEntriesProps {
  entry: Entry;
  busy: boolean;
  onMerge: (into: Entry, takeAnswer: boolean) => void;
}

/** The entries that ask the same: one of them is enough. */
export function SimilarEntries({ entry, busy, onMerge }: SimilarEntriesProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery({
    queryKey: ["knowledge", "similar", entry.id, entry.version],
    queryFn: () => fetchSimilarEntries(entry),
  });
  if (data.length === 0) return null;
  return (
    <div role="group" aria-label={t("knowledge.similar")} className={classes.answer}>
      <p className={classes.quiet}>{t("knowledge.similar")}</p>
      {data.map((twin) => (
        <div key={twin.id}>
          <p className={classes.text}>
            <strong>
              <PlainText text={twin.question} />
            </strong>
          </p>
          <p className={classes.text}>
            <PlainText text={twin.answer} />
          </p>
          <div className={classes.buttons}>
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => {
                onMerge(twin, false);
              }}
            >
              {t("knowledge.merge")}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => {
                onMerge(twin, true);
              }}
            >
              {t("knowledge.mergeWithAnswer")}
            </Button>
          </div>
        </div>
      ))}
    </div>
  );
}
