/** Paints the right colours before React starts. Imported first; a script in the page itself would break its security policy. */
import { localStorageColorSchemeManager } from "@mantine/core";

export const colorSchemeManager = localStorageColorSchemeManager({ key: "handraise.color-scheme" });

const chosen = colorSchemeManager.get("auto");
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
const dark = chosen === "dark" || (chosen === "auto" && systemIsDark);
document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
