/** What an edit changes, place by place, so that it can be read before it is sent. */
import { isRecord } from "@/features/inbox/edit/values/jsonSchema";

export type Change =
  | { what: "added"; path: string; after: unknown }
  | { what: "removed"; path: string; before: unknown }
  | { what: "changed"; path: string; before: unknown; after: unknown };

export function changesOf(before: unknown, after: unknown, path = ""): Change[] {
  if (isSame(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changeAt(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
    return places.flatMap((index) => changeAt(before[index], after[index], `${path}[${index + 1}]`));
  }
  return [{ what: "changed", path, before, after }];
}

/** Few and small enough to stay in sight while one types. */
export function isShort(changes: readonly Change[]): boolean {
  return changes.length > 0 && changes.length <= 3 && JSON.stringify(changes).length < 400;
}

function changeAt(before: unknown, after: unknown, path: string): Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ what: "added", path, after }];
  if (after === undefined) return [{ what: "removed", path, before }];
  return changesOf(before, after, path);
}

/** Equal as JSON: the order of names does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
