import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Args } from "@/api/types";
import classes from "@/components/text/ArgumentsText.module.css";
import { ExactText } from "@/components/text/ExactText";
import { LongText } from "@/components/text/LongText";
import { kindOf } from "@/components/text/valueKind";

const DEEPEST = 6;
const MANY = 20;

/** A call's arguments, every one in full and as text. The kind tells the text "10" from the number 10. */
export function ArgumentsText({ args, label }: { args: Args; label: string }) {
  const { t } = useTranslation();
  if (Object.keys(args).length === 0) return <p className={classes.none}>{t("arguments.none")}</p>;
  return <Fields entries={Object.entries(args)} label={label} depth={0} />;
}

interface FieldsProps {
  entries: readonly [string, unknown][];
  label?: string;
  depth: number;
}

function Fields({ entries, label, depth }: FieldsProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, MANY);
  return (
    <>
      <dl className={depth === 0 ? classes.list : classes.nested} aria-label={label}>
        {shown.map(([name, value]) => (
          <div key={name} className={classes.item} data-nested={isNested(value, depth) || undefined}>
            <dt className={classes.name}>
              <ExactText text={name} />
              <span className={classes.kind}>{t(`arguments.${kindOf(value)}`)}</span>
            </dt>
            <dd className={classes.value}>
              <Value value={value} depth={depth} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > MANY && (
        <UnstyledButton
          className={classes.more}
          aria-expanded={all}
          onClick={() => {
            setAll(!all);
          }}
        >
          {all ? t("exact.less") : t("exact.all", { count: entries.length })}
        </UnstyledButton>
      )}
    </>
  );
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  const { t } = useTranslation();
  if (value === "") return t("arguments.emptyText");
  if (typeof value === "string") return <LongText text={value} />;
  if (isNested(value, depth)) {
    const entries = Array.isArray(value)
      ? value.map((item, index): [string, unknown] => [String(index + 1), item])
      : Object.entries(value);
    return <Fields entries={entries} depth={depth + 1} />;
  }
  return <LongText text={JSON.stringify(value, null, 2)} />;
}

/** Something with parts, as long as they are not too deep to be read as a table. */
function isNested(value: unknown, depth: number): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0 && depth < DEEPEST;
}
