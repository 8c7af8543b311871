import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { currentLanguage, switchLanguage } from "@/i18n/i18n";

/** Names the other language in that language, so that it is found by those who cannot read this one. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const [other, name] = currentLanguage() === "en" ? (["zh", "中文"] as const) : (["en", "English"] as const);
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      c="dimmed"
      fw={500}
      aria-label={`${name} (${t("app.language")})`}
      onClick={() => {
        void switchLanguage(other);
      }}
    >
      <span lang={other === "zh" ? "zh-CN" : "en"}>{name}</span>
    </Button>
  );
}
