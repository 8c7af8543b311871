/** Characters that make a text look like another one: those that cannot be seen, and those that look like others. */
import { splitAtHidden } from "@/components/text/hiddenCharacters";

export interface Piece {
  kind: "plain" | "hidden" | "lookalike";
  text: string;
}

const ORDINARY = /^[\n\t\x20-\x7e\u3000-\u303f\u3400-\u9fff\uff01-\uff0f]*$/;

/** Blanks that are not the space bar's, fillers, and selectors that carry what nobody sees. */
const BLANK =
  /([\u00a0\u034f\u115f\u1160\u17b4\u17b5\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0\ufe00-\ufe0e\u{e0100}-\u{e01ef}]|(?<!\p{Emoji})\ufe0f)/u;

/** Full-width, mathematical and letter-like forms of Latin letters and digits, and twins of the marks in addresses. */
const TWIN =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u2102\u210a-\u2113\u2115\u2119-\u211d\u2124\u2128\u212a\u212c-\u2134\u2139\u2145-\u2149\u0251\u0261\u2044\u2215\u29f8\u2024\uff0e\u2236\ua789]/u;

/** Letters of other scripts that look like Latin ones. */
const FOREIGN = new Set(
  "асеорухіјѕһԁԛԝѵӏАВЕКМНОРСТУХІЈЅԌԚԜҮ" + "αονρυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օսոցհՏԼՕ" + "ᎠᎡᎢᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦ",
);
const SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const LATIN = /\p{Script=Latin}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Cuts a text where a character is not what it seems. */
export function inspect(text: string): Piece[] {
  if (ORDINARY.test(text)) return text ? [{ kind: "plain", text }] : [];
  const twins = lookalikes(text);
  return splitAtHidden(text).flatMap((part, index, parts): Piece[] => {
    if (index % 2 === 1) return [{ kind: "hidden", text: part }];
    const start = parts.slice(0, index).join("").length;
    return part ? inVisible(part, start, twins) : [];
  });
}

/** Says how many characters of a text are not what they seem. */
export function countSuspicious(text: string): { hidden: number; lookalike: number } {
  const pieces = inspect(text);
  const count = (kind: Piece["kind"]) => pieces.filter((piece) => piece.kind === kind).length;
  return { hidden: count("hidden"), lookalike: count("lookalike") };
}

function inVisible(part: string, start: number, twins: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  for (const character of part) {
    const kind =
      BLANK.test(character) && !isEmojiStyle(part, at - start) ? "hidden" : twins.has(at) ? "lookalike" : "plain";
    const last = pieces.at(-1);
    if (kind === "plain" && last?.kind === "plain") last.text += character;
    else pieces.push({ kind, text: character });
    at += character.length;
  }
  return pieces;
}

/** The one selector that keyboards write themselves: it follows an emoji and makes it colourful. */
function isEmojiStyle(text: string, at: number): boolean {
  return text.charAt(at) === "\ufe0f" && /\p{Emoji}$/u.test(text.slice(0, at));
}

/** Finds where the look-alikes are: of words in two scripts the strangers, and whole words made to look Latin. */
function lookalikes(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  // A text that is written in such a script anyway may use all its letters.
  const atHome = Array.from(text).some((letter) => SCRIPTS.test(letter) && !FOREIGN.has(letter));
  const latin = LATIN.test(text.replace(TWIN, ""));
  for (const word of text.matchAll(WORD)) {
    const letters = placed(word[0], word.index);
    const own = letters.filter(([, letter]) => LATIN.test(letter) && !TWIN.test(letter));
    const strange = letters.filter(([, letter]) => FOREIGN.has(letter));
    const others = letters.filter(([, letter]) => SCRIPTS.test(letter));
    if (own.length > 0 && others.length > own.length) mark(found, own);
    else if (own.length > 0) mark(found, strange);
    else if (latin && !atHome && strange.length > 0 && strange.length === others.length) mark(found, strange);
  }
  mark(
    found,
    placed(text, 0).filter(([, character]) => TWIN.test(character)),
  );
  return found;
}

function placed(text: string, start: number): [number, string][] {
  let at = start;
  return Array.from(text, (character) => {
    const place: [number, string] = [at, character];
    at += character.length;
    return place;
  });
}

function mark(found: Set<number>, places: readonly [number, string][]): void {
  for (const [at] of places) found.add(at);
}
