/** What does not fit a schema, place by place. The service has the last word; this says it while one types. */
import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type Schema } from "@/features/inbox/edit/values/jsonSchema";

/** `path` is dotted as the service writes it; the empty one is the whole. */
export interface Fault {
  path: string;
  /** A text of ours (`editor.faults.*`); null where only `message` says it. */
  rule: Rule | null;
  message: string;
}

const RULES = [
  "required",
  "number",
  "integer",
  "string",
  "boolean",
  "array",
  "object",
  "enum",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
  "unknown",
] as const;
export type Rule = (typeof RULES)[number];

/** Say only that something below them is wrong. */
const FRAMES = [
  "properties",
  "items",
  "$ref",
  "anyOf",
  "oneOf",
  "allOf",
  "prefixItems",
  "additionalItems",
  "additionalProperties",
  "if",
];

/** Formats are hints: the service does not refuse an address or a date that is written another way. */
const HINTS = ["format"];

export function faultsOf(schema: Schema | null, value: unknown): Fault[] {
  if (schema === null) return [];
  let errors: OutputUnit[];
  try {
    // The validator writes notes into the schema that it reads.
    errors = new Validator(structuredClone(schema), "2020-12", false).validate(value).errors;
  } catch {
    // A schema that it cannot read is the service's to judge.
    return [];
  }
  errors = errors.filter(({ keyword }) => !HINTS.includes(keyword));
  const leaves = errors.filter(({ keyword }) => !FRAMES.includes(keyword));
  if (leaves.length === 0 && errors.every(({ keyword }) => FRAMES.includes(keyword) && keyword !== "oneOf")) return [];
  const found = (leaves.length > 0 ? leaves : errors).map(faultOf);
  const telling = found.filter(({ path, rule }) => rule === "required" || !isAbove(path, found));
  return telling.filter((fault, index) => telling.findIndex(({ path }) => path === fault.path) === index);
}

/** An error about a whole that only repeats what is wrong with its part. */
function isAbove(path: string, all: readonly Fault[]): boolean {
  return all.some((other) => other.path !== path && other.path.startsWith(path ? `${path}.` : ""));
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): Fault {
  const path = instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
  const named = /property "(.*?)"/.exec(error)?.[1];
  if (keyword === "required" && named !== undefined) {
    return { path: path ? `${path}.${named}` : named, rule: "required", message: error };
  }
  const wanted = keyword === "type" ? /Expected "(\w+)"/.exec(error)?.[1] : keyword === "false" ? "unknown" : keyword;
  return { path, rule: RULES.find((rule) => rule === wanted) ?? null, message: error };
}
