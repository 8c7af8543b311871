import { useTranslation } from "react-i18next";
import { ExactText } from "@/components/text/ExactText";
import { LongText } from "@/components/text/LongText";
import { kindOf } from "@/components/text/valueKind";
import classes from "@/features/inbox/edit/ChangeList.module.css";
import type { Change } from "@/features/inbox/edit/values/changes";

/** What would run instead of what was asked for, each place before and after. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes.changes} aria-label={t("editor.changes")}>
      <h4 className={classes.title}>{t("editor.changes")}</h4>
      {changes.length === 0 ? (
        <p className={classes.none}>{t("editor.noChanges")}</p>
      ) : (
        <ul className={classes.list}>
          {changes.map((change) => (
            <li key={change.path} className={classes.change} data-what={change.what}>
              <code className={classes.path}>
                <ExactText text={change.path || t("editor.whole")} />
              </code>
              {change.what !== "added" && (
                <del className={classes.before}>
                  <Value value={change.before} />
                </del>
              )}
              {change.what !== "removed" && (
                <ins className={classes.after}>
                  <Value value={change.after} />
                </ins>
              )}
              {change.what === "removed" && <span className={classes.note}>{t("editor.removed")}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Value({ value }: { value: unknown }) {
  const { t } = useTranslation();
  return (
    <>
      <LongText text={typeof value === "string" ? value : JSON.stringify(value, null, 2)} />
      <span className={classes.kind}>{t(`arguments.${kindOf(value)}`)}</span>
    </>
  );
}
