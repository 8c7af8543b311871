import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryStatus, listEntries, searchEntries } from "@/api/knowledge";
import { EntryCard } from "@/features/knowledge/EntryCard";
import { NewEntry } from "@/features/knowledge/NewEntry";
import { ListPage } from "@/lists/ListPage";
import classes from "@/lists/ListPage.module.css";
import { useAddress } from "@/lists/useAddress";
import { usePages } from "@/lists/usePages";

const STATUSES: readonly EntryStatus[] = ["draft", "published", "retired"];
const PAUSE_MS = 250;

/** What agents may answer from: drafts to publish, entries to find, change, merge and retire. */
export function KnowledgePage() {
  const { t } = useTranslation();
  const [search, change] = useAddress();
  const status = STATUSES.find((one) => one === search.get("status")) ?? "draft";
  const typed = search.get("q") ?? "";
  const [words] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const [writing, setWriting] = useState(false);
  const pages = usePages(["knowledge", words || status], (cursor) =>
    words ? searchEntries(words) : listEntries(status, cursor),
  );
  return (
    <ListPage
      title={t("knowledge.title")}
      empty={
        words
          ? { title: t("knowledge.nothingFound"), text: t("knowledge.nothingFoundText") }
          : { title: t(`knowledge.empty.${status}`), text: t("knowledge.emptyText") }
      }
      pages={pages}
      filters={
        <>
          <SegmentedControl
            aria-label={t("knowledge.which")}
            value={status}
            onChange={(value) => {
              change({ status: value, q: "" });
            }}
            data={STATUSES.map((one) => ({ value: one, label: t(`knowledge.is.${one}`) }))}
          />
          <TextInput
            type="search"
            aria-label={t("knowledge.search")}
            placeholder={t("knowledge.search")}
            value={typed}
            onChange={(event) => {
              change({ status, q: event.currentTarget.value }, { replace: true });
            }}
          />
          <Button
            variant="default"
            disabled={writing}
            onClick={() => {
              setWriting(true);
            }}
          >
            {t("knowledge.new")}
          </Button>
        </>
      }
      above={
        writing && (
          <NewEntry
            onDrafted={() => {
              setWriting(false);
              change({ status: "draft", q: "" });
            }}
            onCancel={() => {
              setWriting(false);
            }}
          />
        )
      }
    >
      <ul className={classes.list} aria-label={t("knowledge.title")}>
        {pages.items.map((entry) => (
          <EntryCard key={entry.id} entry={entry} />
        ))}
      </ul>
    </ListPage>
  );
}
