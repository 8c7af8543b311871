import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "@/transcript/Card.module.css";
import type { FailureEntry } from "@/transcript/entries";

interface FailureNoteProps {
  failure: FailureEntry;
  /** What the reader can do about it. */
  children?: ReactNode;
}

export function FailureNote({ failure, children }: FailureNoteProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.card} data-tone="danger">
      <p className={classes.title}>{t("transcript.failed")}</p>
      <p className={classes.text}>{t("transcript.failedText")}</p>
      {children}
      {failure.error && (
        <details className={classes.details}>
          <summary>{t("failure.details")}</summary>
          <pre className={classes.pre}>{failure.error}</pre>
        </details>
      )}
    </section>
  );
}
