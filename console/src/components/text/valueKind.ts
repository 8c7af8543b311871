/** What a value of JSON is, in a word that has a text in both languages (`arguments.*`). */
export type ValueKind = "text" | "number" | "boolean" | "null" | "array" | "object";

export function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "object";
  }
}
