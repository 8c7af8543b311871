import type { ReactNode } from "react";
import classes from "@/components/notices/Callout.module.css";

interface CalloutProps {
  tone: "caution" | "danger";
  title: string;
  children: ReactNode;
}

/** Something that went another way than the reader meant; a screen reader says it at once. */
export function Callout({ tone, title, children }: CalloutProps) {
  return (
    <div role="alert" className={classes.callout} data-tone={tone}>
      <p className={classes.title}>{title}</p>
      {children}
    </div>
  );
}
