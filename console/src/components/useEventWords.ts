import { useTranslation } from "react-i18next";
import type { EventName } from "@/api/events";

/** What an event's name means in the reader's language, or null for one that only a newer service knows. */
export function useEventWords(): (name: string) => string | null {
  const { t, i18n } = useTranslation();
  const isKnown = (name: string): name is EventName => i18n.exists(`event.${name}`);
  return (name) => (isKnown(name) ? t(`event.${name}`) : null);
}
