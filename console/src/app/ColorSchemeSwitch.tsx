import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AutoIcon, MoonIcon, SunIcon } from "@/components/icons";

const NEXT: Record<MantineColorScheme, MantineColorScheme> = { auto: "light", light: "dark", dark: "auto" };
const ICON = { auto: AutoIcon, light: SunIcon, dark: MoonIcon };

export function ColorSchemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = ICON[colorScheme];
  const label = t(`colorScheme.${colorScheme}`);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      aria-label={label}
      title={label}
      onClick={() => {
        setColorScheme(NEXT[colorScheme]);
      }}
    >
      <Icon />
    </ActionIcon>
  );
}
