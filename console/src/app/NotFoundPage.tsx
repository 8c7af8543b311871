import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Notice } from "@/components/notices/Notice";
import { usePageTitle } from "@/components/usePageTitle";

export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("notFound.title"));
  return (
    <Notice order={1} title={t("notFound.title")} text={t("notFound.text")}>
      <Anchor component={Link} to="/">
        {t("notFound.home")}
      </Anchor>
    </Notice>
  );
}
