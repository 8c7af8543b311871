import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { type Filter, FILTERS, readFilter, writeFilter } from "@/features/inbox/filters";

export interface FilterInAddress {
  filter: Filter;
  /** Changes some filters; an empty value removes one. */
  change: (changes: Filter) => void;
  clear: () => void;
}

export function useFilter(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = (changes: Filter) => {
    setParams((now) => writeFilter(now, changes), { replace: true });
  };
  return {
    filter,
    change,
    clear: () => {
      change(Object.fromEntries(FILTERS.map((name) => [name, ""])));
    },
  };
}
