/** Numbers for people. */

export function formatCount(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

export function formatShare(value: number | null, language: string): string {
  if (value === null) return "–";
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value);
}

/** A length of time with as much precision as helps: `0.8s`, `42s`, `3.5m`, `2h`. */
export function formatSeconds(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 120
      ? ([seconds, "second"] as const)
      : seconds < 7200
        ? ([seconds / 60, "minute"] as const)
        : ([seconds / 3600, "hour"] as const);
  const digits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "narrow",
    maximumFractionDigits: digits,
  }).format(value);
}

/** A moment on the axis of a chart. */
export function formatStep(iso: string, step: "hour" | "day", zone: string, language: string): string {
  const shape: Intl.DateTimeFormatOptions =
    step === "hour" ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { month: "numeric", day: "numeric" };
  return new Intl.DateTimeFormat(language, { ...shape, timeZone: zone }).format(new Date(iso));
}

export const TARGET = { assist: [0.1, 0.2], responseSeconds: 60, inTime: 0.95 } as const;
/** How much of all questions each type should be. */
export const TARGET_MIX = {
  information_query: 0.6,
  decision_required: 0.25,
  risk_confirmation: 0.1,
  knowledge_gap: 0.05,
} as const;
export const TYPES = Object.keys(TARGET_MIX) as (keyof typeof TARGET_MIX)[];
