import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { countSuspicious } from "@/components/text/exactCharacters";
import { ExactText } from "@/components/text/ExactText";
import classes from "@/components/text/LongText.module.css";

const LONG = 600;
const MANY_LINES = 12;

/** A text in full. A long one is folded, with its length, so that it cannot push what follows out of sight. */
export function LongText({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const start = beginning(text);
  const { hidden, lookalike } = countSuspicious(text);
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <>
      <ExactText text={open ? text : start} />
      {start !== text && (
        <>
          {!open && "…"}{" "}
          <UnstyledButton
            className={classes.more}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open);
            }}
          >
            {open ? t("exact.less") : t("exact.more", { length: number.format(Array.from(text).length) })}
          </UnstyledButton>
        </>
      )}
      {hidden + lookalike > 0 && (
        <span className={classes.warning}>
          {[
            hidden > 0 ? t("exact.hidden", { count: hidden }) : "",
            lookalike > 0 ? t("exact.lookalike", { count: lookalike }) : "",
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      )}
    </>
  );
}

function beginning(text: string): string {
  const lines = text.split("\n", MANY_LINES + 1);
  const few = lines.length > MANY_LINES ? lines.slice(0, MANY_LINES).join("\n") : text;
  if (few.length <= LONG) return few;
  // Not in the middle of a character.
  return Array.from(few.slice(0, LONG)).slice(0, -1).join("");
}
