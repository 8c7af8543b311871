/** Reading and changing one place deep in a value, without touching anything beside it. */
import { isRecord } from "@/features/inbox/edit/values/jsonSchema";

export type Place = readonly (string | number)[];

export function pathOf(place: Place): string {
  return place.join(".");
}

/** Returns the value with another one at a place; `undefined` takes it away. */
export function withAt(value: unknown, [first, ...rest]: Place, next: unknown): unknown {
  if (first === undefined) return next;
  if (typeof first === "number") {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    if (rest.length === 0 && next === undefined) list.splice(first, 1);
    else list[first] = withAt(list[first], rest, next);
    return list;
  }
  const whole = isRecord(value) ? value : {};
  const inner = withAt(whole[first], rest, next);
  if (inner !== undefined) return { ...whole, [first]: inner };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== first));
}
