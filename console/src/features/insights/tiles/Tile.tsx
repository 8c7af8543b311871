import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "@/features/insights/tiles/Tile.module.css";

interface TileProps {
  title: string;
  value?: ReactNode;
  /** What is aimed at, and whether it is reached; null while there is nothing to tell it by. */
  target?: { text: string; met: boolean | null };
  children?: ReactNode;
}

/** One number with what it should be and what it is made of. */
export function Tile({ title, value, target, children }: TileProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.tile} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {value !== undefined && <p className={classes.value}>{value}</p>}
      {target && (
        <p className={classes.target} data-met={String(target.met)}>
          {target.text}
          {target.met !== null && <strong>{target.met ? t("insights.met") : t("insights.missed")}</strong>}
        </p>
      )}
      {children}
    </section>
  );
}

interface Part {
  name: string;
  value: ReactNode;
}

/** What a number is made of. */
export function Parts({ parts }: { parts: Part[] }) {
  return (
    <dl className={classes.parts}>
      {parts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
