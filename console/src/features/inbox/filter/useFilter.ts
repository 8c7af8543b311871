import { useMemo } from "react";
import { type Filter, FILTERS, readFilter } from "@/features/inbox/filter/filters";
import { useAddress } from "@/lists/useAddress";

export interface FilterInAddress {
  filter: Filter;
  /** Changes some filters; an empty value removes one. */
  change: (changes: Filter) => void;
  clear: () => void;
}

export function useFilter(): FilterInAddress {
  const [search, changeAddress] = useAddress();
  const filter = useMemo(() => readFilter(search), [search]);
  const change = (changes: Filter) => {
    changeAddress(changes, { replace: true });
  };
  return {
    filter,
    change,
    clear: () => {
      change(Object.fromEntries(FILTERS.map((name) => [name, ""])));
    },
  };
}
