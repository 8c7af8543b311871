import { ActionIcon, Popover, Stack, Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BellIcon } from "@/components/icons";
import { keepKeys } from "@/components/keepKeys";
import type { Alerts } from "@/features/inbox/alerts/useAlerts";

export function AlertSettings({ alerts }: { alerts: Alerts }) {
  const { t } = useTranslation();
  const { choice, desktop } = alerts;
  const on = choice.sound || choice.desktop;
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size="lg"
          c={on ? "var(--accent-text)" : "dimmed"}
          aria-label={t(on ? "alerts.isOn" : "alerts.isOff")}
          title={t("alerts.title")}
        >
          <BellIcon />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("alerts.title")} onKeyDown={keepKeys}>
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {t("alerts.title")}
          </Text>
          <Switch
            label={t("alerts.sound")}
            checked={choice.sound}
            onChange={(event) => {
              alerts.chooseSound(event.currentTarget.checked);
            }}
          />
          <Switch
            label={t("alerts.desktop")}
            checked={choice.desktop && desktop === "possible"}
            disabled={desktop !== "possible"}
            onChange={(event) => {
              alerts.chooseDesktop(event.currentTarget.checked);
            }}
          />
          <Text size="xs" c="dimmed">
            {t(`alerts.${desktop}`)}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
