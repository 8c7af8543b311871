import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { LiveFrame } from "@/api/events";
import type { Request } from "@/api/types";
import { arrivalsIn } from "@/features/inbox/alerts/arrivals";
import { type AlertChoice, rememberChoice, rememberedChoice } from "@/features/inbox/alerts/settings";
import { chime } from "@/features/inbox/alerts/sound";
import { INBOX_PATH, requestPath } from "@/features/inbox/paths";
import { headline } from "@/features/inbox/list/summary";

export interface Alerts {
  choice: AlertChoice;
  /** Whether this browser can, and may, show notifications of the desktop. */
  desktop: "possible" | "refused" | "impossible";
  chooseSound: (on: boolean) => void;
  chooseDesktop: (on: boolean) => void;
}

interface AlertsWithFeed extends Alerts {
  /** Told of every live frame. */
  onLive: (frames: LiveFrame[]) => void;
}

/** Tells an operator of what arrives, in the ways they chose. Of several open consoles only one speaks. */
export function useAlerts(me: string): AlertsWithFeed {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const speaks = useOneSpeaker();
  const [choice, setChoice] = useState(rememberedChoice);
  const [desktop, setDesktop] = useState(permission);
  const choose = (changes: Partial<AlertChoice>) => {
    const chosen = { ...choice, ...changes };
    setChoice(chosen);
    rememberChoice(chosen);
  };

  const show = (title: string, requests: Request[]) => {
    const [first] = requests;
    if (!first) return;
    const only = requests.length === 1;
    // A tag keeps a second console from saying the same again.
    const notice = new Notification(title, {
      body: [first.agent, first.customer].filter(Boolean).join(" · "),
      tag: first.id,
    });
    notice.onclick = () => {
      window.focus();
      void navigate(only ? requestPath(first.id) : INBOX_PATH);
      notice.close();
    };
  };
  const titleOf = (requests: Request[], kind: "opened" | "due") =>
    requests.length === 1 && requests[0]
      ? t(`alerts.${kind}.one`, { what: headline(requests[0]) })
      : t(`alerts.${kind}.many`, { number: requests.length });

  return {
    choice,
    desktop,
    chooseSound: (sound) => {
      choose({ sound });
      if (sound) chime();
    },
    chooseDesktop: (on) => {
      if (!on || desktop === "impossible") {
        choose({ desktop: false });
        return;
      }
      void Notification.requestPermission().then((answer) => {
        setDesktop(permission());
        choose({ desktop: answer === "granted" });
      });
    },
    onLive: (frames) => {
      if (!speaks.current) return;
      const { opened, due } = arrivalsIn(frames, me);
      if (opened.length + due.length === 0) return;
      if (choice.sound) chime();
      // Who looks at the list sees it there.
      if (!choice.desktop || document.hasFocus() || permission() !== "possible") return;
      show(titleOf(opened, "opened"), opened);
      show(titleOf(due, "due"), due);
    },
  };
}

function permission(): Alerts["desktop"] {
  if (!("Notification" in window)) return "impossible";
  return Notification.permission === "denied" ? "refused" : "possible";
}

/** True in one of the consoles that are open in this browser; another takes over when it closes. */
function useOneSpeaker() {
  const speaks = useRef(!("locks" in navigator));
  useEffect(() => {
    if (!("locks" in navigator)) return;
    const closing = new AbortController();
    const closed = new Promise((resolve) => {
      closing.signal.addEventListener("abort", resolve);
    });
    navigator.locks
      .request("handraise.alerts", { signal: closing.signal }, () => {
        speaks.current = true;
        return closed;
      })
      .catch(() => {
        // The page closed before its turn came.
      });
    return () => {
      speaks.current = false;
      closing.abort();
    };
  }, []);
  return speaks;
}
