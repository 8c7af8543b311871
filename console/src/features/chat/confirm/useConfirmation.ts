import { useState } from "react";
import { decide } from "@/api/client";
import type { Args, Decision, Request } from "@/api/types";
import { type Draft, type Field, fieldsOf, readDraft } from "@/features/chat/confirm/fields";

interface Form {
  fields: readonly Field[];
  draft: Draft;
  reading: ReturnType<typeof readDraft>;
}

export interface Confirmation {
  busy: boolean;
  /** Why a request is still open although somebody answered it, by its id. */
  errors: Readonly<Record<string, unknown>>;
  of: (request: Request) => Form;
  change: (requestId: string, draft: Draft) => void;
  approve: (requests: readonly Request[]) => void;
  reject: (requests: readonly Request[], reason: string) => void;
}

/** Keeps what the customer has changed in each call, and sends what they decide. */
export function useConfirmation(): Confirmation {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [errors, setErrors] = useState<Readonly<Record<string, unknown>>>({});
  const [busy, setBusy] = useState(false);

  const of = (request: Request): Form => {
    const fields = fieldsOf(request.args_schema, request.args);
    const draft = drafts[request.id] ?? {};
    return { fields, draft, reading: readDraft(fields, request.args, draft) };
  };

  const decideEach = async (requests: readonly Request[], decisionOf: (request: Request) => Decision) => {
    setBusy(true);
    setErrors({});
    // One after another: when one is refused, the customer sees which.
    for (const request of requests) {
      try {
        await decide(request.id, decisionOf(request));
      } catch (error) {
        setErrors((all) => ({ ...all, [request.id]: error }));
      }
    }
    setBusy(false);
  };

  return {
    busy,
    errors,
    of,
    change: (requestId, draft) => {
      setDrafts((all) => ({ ...all, [requestId]: draft }));
    },
    approve: (requests) => {
      void decideEach(requests, (request) => {
        const { changed, args } = of(request).reading;
        return changed ? edit(args) : { type: "approve" };
      });
    },
    reject: (requests, reason) => {
      void decideEach(requests, () => ({ type: "reject", reason }));
    },
  };
}

const edit = (args: Args): Decision => ({ type: "edit", args });
