import { useEffect } from "react";
import { useTranslation } from "react-i18next";

export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  const name = t("app.name");
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
}
