import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { fetchRequest } from "@/api/client";
import { isRefusal } from "@/api/problem";
import { claimRequest, releaseRequest } from "@/api/requests";
import type { Me, Request } from "@/api/types";
import { useNow } from "@/time/useNow";

/** Renewed when less than this is left, and only while somebody works on it. */
const RENEW_MS = 60_000;
const IDLE_MS = 3 * 60_000;
/** How soon it is noticed that a claim has run out. Everything about the request is drawn anew then. */
const EVERY_MS = 5_000;

export interface Claim {
  /** The request as the claim left it, if that is newer than what the page knows. */
  request: Request | null;
  mine: boolean;
  /** Another operator who is on it; nobody else can decide then. */
  by: string | null;
  until: string | null;
  busy: boolean;
  error: unknown;
  /** Claims it, or gives it back. */
  toggle: () => void;
}

/**
 * Keeps others off a request while one works on it, and shows who else is on it.
 *
 * `working` claims without a word, renews while something is typed or clicked, and gives back in the end. What was
 * claimed by name stays until it is given back by name.
 */
export function useClaim(request: Request, me: Me | undefined, working: boolean): Claim {
  const now = useNow(EVERY_MS);
  const [known, setKnown] = useState<Request | null>(null);
  const latest = known && known.version > request.version ? known : request;
  const learn = (told: Request) => {
    setKnown((before) => (before && before.version > told.version ? before : told));
  };
  const quiet = useRef(false);
  const wanted = useRef(false);
  const giveBack = () => void releaseRequest(request.id).then(learn, () => undefined);
  const change = useMutation({
    mutationFn: async (what: "claim" | "release") => {
      try {
        return await (what === "claim" ? claimRequest(request.id) : releaseRequest(request.id));
      } catch (error) {
        // Somebody was quicker: what stands now says who.
        if (isRefusal(error)) return fetchRequest(request.id);
        throw error;
      }
    },
    onSuccess: (told, what) => {
      learn(told);
      // Whoever was gone before the claim was answered could not give back what they did not have.
      if (what === "claim" && quiet.current && !wanted.current) giveBack();
    },
  });

  const open = latest.status === "open";
  const leftMs = latest.claim_until ? Date.parse(latest.claim_until) - now : 0;
  const held = open && Boolean(latest.claimed_by) && leftMs > 0;
  const mine = held && latest.claimed_by === me?.id;
  const free = open && !held && me !== undefined;

  const lastActive = useRef(0);
  useEffect(() => {
    const note = () => {
      lastActive.current = Date.now();
    };
    note();
    window.addEventListener("keydown", note);
    window.addEventListener("pointerdown", note);
    return () => {
      window.removeEventListener("keydown", note);
      window.removeEventListener("pointerdown", note);
    };
  }, []);

  const short = working && open && (mine || free) && leftMs < RENEW_MS && !change.isPending && !change.isError;
  const renew = useEffectEvent(() => {
    if (document.visibilityState !== "visible" || Date.now() - lastActive.current > IDLE_MS) return;
    if (free) quiet.current = true;
    change.mutate("claim");
  });
  useEffect(() => {
    if (short) renew();
  }, [short, now]);

  const leave = useEffectEvent(() => {
    wanted.current = false;
    if (mine && quiet.current) giveBack();
  });
  useEffect(() => {
    if (!working) return;
    wanted.current = true;
    return () => {
      leave();
    };
  }, [working]);

  return {
    request: known,
    mine,
    by: held && !mine ? (latest.claimed_by ?? null) : null,
    until: held ? (latest.claim_until ?? null) : null,
    busy: change.isPending,
    error: change.error,
    toggle: () => {
      if (!mine && (change.isPending || !free)) return;
      quiet.current = false;
      change.mutate(mine ? "release" : "claim");
    },
  };
}
