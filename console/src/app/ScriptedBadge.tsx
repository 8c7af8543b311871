import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { fetchInfo } from "@/api/client";

/** Says openly that no language model is behind the answers, when that is so. */
export function ScriptedBadge() {
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ["info"], queryFn: fetchInfo, staleTime: Infinity });
  if (!data?.scripted) return null;
  return (
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500} c="dimmed" title={t("app.scriptedHint")}>
      {t("app.scripted")}
    </Badge>
  );
}
