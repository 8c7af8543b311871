import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { fetchInfo } from "@/api/client";
import type { Info } from "@/api/types";
import classes from "@/features/chat/Welcome.module.css";
import { currentLanguage } from "@/i18n/i18n";
import type { Language } from "@/i18n/language";

/** The empty page: what this is, and a few things to ask. */
export function Welcome({ onSend }: { onSend: (text: string) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ["info"], queryFn: fetchInfo, staleTime: Infinity });
  const samples = samplesOf(data)[currentLanguage()] ?? [];
  return (
    <div className={classes.welcome}>
      <Title order={2}>{t("chat.welcome")}</Title>
      <Text c="dimmed">{t("chat.welcomeText")}</Text>
      {samples.length > 0 && (
        <ul className={classes.samples} aria-label={t("chat.samples")}>
          {samples.map((sample) => (
            <li key={sample}>
              <Button
                variant="default"
                radius="xl"
                fw={400}
                className={classes.sample}
                onClick={() => {
                  onSend(sample);
                }}
              >
                {sample}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A service that is not the demo has no samples to offer. */
function samplesOf(info: (Info & { samples?: Partial<Record<Language, string[]>> }) | undefined) {
  return info?.samples ?? {};
}
