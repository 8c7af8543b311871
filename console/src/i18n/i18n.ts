import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "@/i18n/en";
import { chooseLanguage, type Language, LANGUAGES, rememberedLanguage, rememberLanguage } from "@/i18n/language";

declare module "i18next" {
  interface CustomTypeOptions {
    // A key that is missing from the English texts does not compile.
    resources: { translation: typeof en };
  }
}

/** Picks a language. English is always there, for texts and for a page that cannot fetch the other one. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: "en",
    supportedLngs: LANGUAGES,
    fallbackLng: "en",
    interpolation: { escapeValue: false },
  });
  await show(chooseLanguage(rememberedLanguage(), navigator.languages)).catch(() => show("en"));
}

export function currentLanguage(): Language {
  return i18next.resolvedLanguage === "zh" ? "zh" : "en";
}

export async function switchLanguage(language: Language): Promise<void> {
  await show(language);
  rememberLanguage(language);
}

async function show(language: Language): Promise<void> {
  if (language === "zh" && !i18next.hasResourceBundle("zh", "translation")) {
    i18next.addResourceBundle("zh", "translation", (await import("@/i18n/zh")).default);
  }
  await i18next.changeLanguage(language);
  describeDocument(language);
}

function describeDocument(language: Language): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}
