import { useState } from "react";
import type { Request } from "@/api/types";

interface DialogState {
  /** What the dialog shows; empty while it is closed. */
  shown: readonly Request[];
  open: () => void;
  close: () => void;
}

/** Opens by itself when something new is to be confirmed, and stays closed for what was put off. */
export function useConfirmDialog(toConfirm: readonly Request[]): DialogState {
  const [putOff, setPutOff] = useState<readonly string[]>([]);
  const isWanted = toConfirm.some(({ id }) => !putOff.includes(id));
  return {
    shown: isWanted ? toConfirm : [],
    open: () => {
      setPutOff([]);
    },
    close: () => {
      setPutOff(toConfirm.map(({ id }) => id));
    },
  };
}
