import Markdown, { type Components } from "react-markdown";
import { splitAtHidden, codePoint } from "@/components/text/hiddenCharacters";
import classes from "@/components/text/MarkdownText.module.css";

const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

/**
 * An agent's words as Markdown. A model may repeat what anybody wrote to it, so nothing here fetches or runs:
 * HTML stays text, an image becomes its description, and a link leads out without telling where from.
 */
const components: Components = {
  a: ({ href, children }) =>
    href && SAFE_LINK.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt, src }) => <span className={classes.image}>{[alt, src].filter(Boolean).join(" ")}</span>,
  // The page's own headings come first.
  h1: ({ children }) => <p className={classes.heading}>{children}</p>,
  h2: ({ children }) => <p className={classes.heading}>{children}</p>,
  h3: ({ children }) => <p className={classes.heading}>{children}</p>,
  h4: ({ children }) => <p className={classes.heading}>{children}</p>,
  h5: ({ children }) => <p className={classes.heading}>{children}</p>,
  h6: ({ children }) => <p className={classes.heading}>{children}</p>,
};

export function MarkdownText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      <Markdown components={components}>{named(text)}</Markdown>
    </div>
  );
}

export default MarkdownText;

/** Writes hidden characters out, except the joiners that emoji are made with. */
function named(text: string): string {
  return splitAtHidden(text)
    .map((piece, index) => (index % 2 === 0 || piece === "\u200d" ? piece : `[${codePoint(piece)}]`))
    .join("");
}
