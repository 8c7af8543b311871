/** The fields of a form for a tool's arguments, made from the tool's schema and from the arguments themselves. */
import type { Args } from "@/api/types";

export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "json";

export interface Field {
  name: string;
  kind: FieldKind;
  label: string;
  description: string;
  required: boolean;
  nullable: boolean;
  choices: readonly string[];
}

/** What the inputs hold. Only names that somebody has changed are in it. */
export type Draft = Readonly<Record<string, string | boolean>>;

export type FieldError = "notNumber" | "notInteger" | "notJson" | "required";

type Schema = Record<string, unknown>;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export function fieldsOf(schema: Schema | null | undefined, args: Args): Field[] {
  const properties = record(schema?.properties);
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  return names.map((name) => {
    const described = record(properties[name]);
    const { type, nullable, rest } = typeOf(name in properties ? described : inferred(args[name]));
    const choices = strings(rest.enum);
    return {
      name,
      kind: choices.length > 0 ? "choice" : kindOf(type, args[name]),
      label: typeof described.title === "string" ? described.title : name,
      description: typeof described.description === "string" ? described.description : "",
      required: required.includes(name),
      nullable,
      choices,
    };
  });
}

/** Returns what an input shows for an argument that nobody has changed. */
export function shownValue(field: Field, args: Args): string | boolean {
  const value = args[field.name];
  if (field.kind === "boolean") return value === true;
  if (value === undefined || (value === null && field.kind !== "json")) return "";
  return typeof value === "string" && field.kind !== "json" ? value : JSON.stringify(value, null, 2);
}

interface Reading {
  args: Args;
  errors: Readonly<Record<string, FieldError>>;
  changed: boolean;
}

/** Reads a form. What nobody has touched stays exactly as the agent wrote it, and a number stays a number. */
export function readDraft(fields: readonly Field[], args: Args, draft: Draft): Reading {
  const result: Args = { ...args };
  const errors: Record<string, FieldError> = {};
  for (const field of fields) {
    const entered = draft[field.name];
    if (entered === undefined || entered === shownValue(field, args)) continue;
    const read = readValue(field, entered);
    if ("error" in read) errors[field.name] = read.error;
    else if (read.value === undefined) Reflect.deleteProperty(result, field.name);
    else result[field.name] = read.value;
  }
  const changed = Object.keys(errors).length > 0 || JSON.stringify(result) !== JSON.stringify(args);
  return { args: result, errors, changed };
}

type ValueRead = { value: Args[string] } | { error: FieldError };

function readValue(field: Field, entered: string | boolean): ValueRead {
  if (typeof entered === "boolean" || (field.kind === "text" && entered !== "")) return { value: entered };
  if (entered.trim() === "") return readEmpty(field);
  switch (field.kind) {
    case "number":
    case "integer": {
      const number = Number(entered);
      if (!NUMBER.test(entered.trim()) || !Number.isFinite(number)) return { error: "notNumber" };
      return field.kind === "integer" && !Number.isSafeInteger(number) ? { error: "notInteger" } : { value: number };
    }
    case "json":
      try {
        return { value: JSON.parse(entered) as Args[string] };
      } catch {
        return { error: "notJson" };
      }
    default:
      return { value: entered };
  }
}

function readEmpty(field: Field): ValueRead {
  if (field.nullable) return { value: null };
  if (!field.required) return { value: undefined };
  return field.kind === "text" ? { value: "" } : { error: "required" };
}

/** Looks through `X or null`, which is how an optional argument is described. */
function typeOf(schema: Schema): { type: unknown; nullable: boolean; rest: Schema } {
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf.map(record) : [];
  const [first, ...others] = variants.filter(({ type }) => type !== "null");
  if (first && others.length === 0 && variants.length === 2) return { type: first.type, nullable: true, rest: first };
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    const nullable = types.length < schema.type.length;
    return { type: types.length === 1 ? types[0] : undefined, nullable, rest: schema };
  }
  return { type: schema.type, nullable: false, rest: schema };
}

function kindOf(type: unknown, value: unknown): FieldKind {
  switch (type) {
    // A value that is not what the schema says is shown as it is.
    case "string":
      return value === undefined || value === null || typeof value === "string" ? "text" : "json";
    case "number":
    case "integer":
      return value === undefined || value === null || typeof value === "number" ? type : "json";
    case "boolean":
      return typeof value === "boolean" ? "boolean" : "json";
    default:
      return "json";
  }
}

function inferred(value: unknown): Schema {
  return { type: typeof value };
}

function strings(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [];
  return all.every((one): one is string => typeof one === "string") ? all : [];
}

function record(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
