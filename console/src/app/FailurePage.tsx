import { Button, Code } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { Notice } from "@/components/notices/Notice";
import { usePageTitle } from "@/components/usePageTitle";

/** What is shown when a page throws, or when its code cannot be loaded (as after an upgrade of the service). */
export function FailurePage() {
  const { t } = useTranslation();
  const error = useRouteError();
  usePageTitle(t("failure.title"));
  return (
    <Notice alert order={1} title={t("failure.title")} text={t("failure.text")}>
      <Button
        onClick={() => {
          window.location.reload();
        }}
      >
        {t("failure.reload")}
      </Button>
      <details>
        <summary>{t("failure.details")}</summary>
        <Code block mt="xs">
          {error instanceof Error ? `${error.name}: ${error.message}` : String(error)}
        </Code>
      </details>
    </Notice>
  );
}
