/** Times for people. The service speaks ISO 8601 in UTC; these answer in the reader's language and zone. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its largest whole unit: `8 s`, `12 min`, `3 h`, `2 days` and their like. */
export function formatLength(ms: number, language: string): string {
  const length = Math.max(0, ms);
  const [size, unit] =
    length < MINUTE
      ? ([SECOND, "second"] as const)
      : length < HOUR
        ? ([MINUTE, "minute"] as const)
        : length < DAY
          ? ([HOUR, "hour"] as const)
          : ([DAY, "day"] as const);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(
    Math.floor(length / size),
  );
}

/** A countdown that can be read at a glance: `0:42`, `12:05`, then whole hours and days. */
export function formatCountdown(ms: number, language: string): string {
  if (ms >= HOUR) return formatLength(ms, language);
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function formatTime(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" }).format(new Date(iso));
}

export function formatMoment(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(iso));
}
