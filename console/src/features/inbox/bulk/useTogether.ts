import { useState } from "react";
import type { Decision, Request } from "@/api/types";
import { decideTogether, type Result } from "@/features/inbox/bulk/together";

export interface Together {
  stage: "preview" | "working" | "over";
  results: ReadonlyMap<string, Result>;
  /** Decides these; done again with the same decision it is no second one. */
  decide: (requests: readonly Request[], decision: Decision) => void;
}

/** One round of deciding together. `onSettled` hears of every request that is closed by it, or was before. */
export function useTogether(onSettled: (...requests: Request[]) => void): Together {
  const [stage, setStage] = useState<Together["stage"]>("preview");
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [key] = useState(newKey);
  return {
    stage,
    results,
    decide: (requests, decision) => {
      if (stage === "working") return;
      setStage("working");
      void decideTogether(requests, decision, {
        key,
        onResult: (id, result) => {
          setResults((known) => new Map(known).set(id, result));
          if (result.state === "done" || result.state === "lost") onSettled(result.request);
        },
      }).finally(() => {
        setStage("over");
      });
    },
  };
}

/** `crypto.randomUUID` would do, but a page on plain http does not have it. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");
}
