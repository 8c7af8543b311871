import { useEffect } from "react";
import drawing from "@/components/icon.svg?raw";

const MOST_SHOWN = 99;

/** The page's icon with a number on it, as an address. */
export function iconWithCount(count: number): string {
  const text = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
  const width = 8 + text.length * 7;
  const badge =
    `<rect x="${32 - width}" y="14" width="${width}" height="18" rx="9" fill="#c92a2a"/>` +
    `<text x="${32 - width / 2}" y="27.5" fill="#fff" font-family="sans-serif" font-size="13" font-weight="700" text-anchor="middle">${text}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing.replace("</svg>", `${badge}</svg>`))}`;
}

/** Shows a number on the tab's icon while the page is open. */
export function useIconCount(count: number): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || count === 0) return;
    const plain = link.href;
    link.href = iconWithCount(count);
    return () => {
      link.href = plain;
    };
  }, [count]);
}
