/** Which language to show: what the person chose before, else what the browser prefers, else English. */

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = "handraise.language";

export function chooseLanguage(remembered: string | null, preferred: readonly string[]): Language {
  return [remembered ?? "", ...preferred].map(match).find((language) => language !== undefined) ?? "en";
}

/** Reads the remembered choice. A browser may refuse storage; then nothing is remembered. */
export function rememberedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // The switch still works until the page closes.
  }
}

function match(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language === primary);
}
