import { inspect } from "@/components/text/exactCharacters";
import { codePoint } from "@/components/text/hiddenCharacters";
import classes from "@/components/text/PlainText.module.css";

/** Text that decides something: shown character by character, with those named that hide or look like others. */
export function ExactText({ text }: { text: string }) {
  return inspect(text).map((piece, index) => {
    switch (piece.kind) {
      case "plain":
        return piece.text;
      case "hidden":
        return (
          <span key={index} className={classes.hidden}>
            {codePoint(piece.text)}
          </span>
        );
      case "lookalike":
        return (
          <span key={index} className={classes.lookalike}>
            {piece.text}
            <span className={classes.hidden}>{codePoint(piece.text)}</span>
          </span>
        );
    }
  });
}
