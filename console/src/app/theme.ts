import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const SANS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif';
const MONO =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "PingFang SC", "Microsoft YaHei", monospace';

/** A cool grey: less tiring than pure black for a page that people watch all day. */
const dark: MantineColorsTuple = [
  "#d5d9e0",
  "#b4bac5",
  "#949ba8",
  "#6b7280",
  "#3d434e",
  "#31363f",
  "#262a32",
  "#1b1e24",
  "#15171c",
  "#101216",
];

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  colors: { dark },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: "600" },
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
});

/** Mantine's own dimmed grey and soft red are too faint for WCAG AA on our backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#566070",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-placeholder": "#6b7480",
    "--surface": "#ffffff",
    "--surface-sunken": "#f6f7f9",
    "--surface-selected": "#eef2ff",
    "--line": "#e3e6ea",
    "--caution-surface": "#fff8e6",
    "--caution-line": "#e0a100",
    "--caution-text": "#7a4d00",
    "--danger-text": "#b42318",
    "--success-text": "#1b6e3c",
    "--accent-text": "#364fc7",
    "--bubble": "#e8edff",
  },
  dark: {
    "--mantine-color-dimmed": "#a3abb8",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-placeholder": "#8d95a3",
    "--surface": "#1b1e24",
    "--surface-sunken": "#15171c",
    "--surface-selected": "#262c42",
    "--line": "#31363f",
    "--caution-surface": "#2b2415",
    "--caution-line": "#b78300",
    "--caution-text": "#f5c451",
    "--danger-text": "#ff8f85",
    "--success-text": "#69c98d",
    "--accent-text": "#a5b8ff",
    "--bubble": "#2b3354",
  },
});
