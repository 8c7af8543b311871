/** Control, zero-width, direction and tag characters: they change what a reader sees without being seen. */
const HIDDEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}])/u;

/** Splits a text at its hidden characters, which end up at the odd positions. */
export function splitAtHidden(text: string): string[] {
  return text.split(HIDDEN);
}

/** Names a character the way Unicode does, e.g. `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Writes the hidden characters of a JSON text as escapes, which mean the same and can be seen. */
export function escapeHidden(json: string): string {
  return splitAtHidden(json)
    .map((piece, index) => (index % 2 === 0 ? piece : escapeUnits(piece)))
    .join("");
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
