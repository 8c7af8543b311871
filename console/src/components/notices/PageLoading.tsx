import { Center, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";

export function PageLoading({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <Center role="status" aria-label={label ?? t("app.loading")} py={96}>
      <Loader size="sm" type="dots" />
    </Center>
  );
}
