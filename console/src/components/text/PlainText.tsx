import { codePoint, splitAtHidden } from "@/components/text/hiddenCharacters";
import classes from "@/components/text/PlainText.module.css";

/** Text that somebody else wrote, shown as it is: never as markup, and with its hidden characters named. */
export function PlainText({ text }: { text: string }) {
  return splitAtHidden(text).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className={classes.hidden}>
        {codePoint(piece)}
      </span>
    ),
  );
}
