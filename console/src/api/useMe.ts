import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { fetchMe } from "@/api/client";
import type { Me } from "@/api/types";

/** Who is signed in. The answer may be `nobody`. */
export function useMe(): UseQueryResult<Me> {
  return useQuery({ queryKey: ["me"], queryFn: fetchMe });
}

export function isOperator(me: Me | undefined): boolean {
  return me?.role === "operator" || me?.role === "lead" || me?.role === "admin";
}

/** Whether somebody may step in for other operators. */
export function isLead(me: Me | undefined): boolean {
  return me?.role === "lead" || me?.role === "admin";
}

/** Where to sign in; the page comes back to where it was. */
export function signInUrl(): string {
  const here = `${window.location.pathname}${window.location.search}`;
  return `/sign-in?next=${encodeURIComponent(here)}`;
}
