/** Which input each argument gets, from the tool's schema and from the arguments as the agent wrote them. */
import { countSuspicious } from "@/components/text/exactCharacters";
import { asSchema, isRecord, resolve, type Schema, withoutNull } from "@/features/inbox/edit/values/jsonSchema";

/** One field: `json` is for whatever no input fits, so that nothing is out of reach. */
export interface Plan {
  kind: "object" | "list" | "text" | "number" | "boolean" | "choice" | "json";
  label: string;
  description: string;
  required: boolean;
  nullable: boolean;
  choices: readonly (string | number | boolean)[];
  /** The fields of an object, by name. */
  fields: Readonly<Record<string, Plan>>;
  /** What the items of a list are like. */
  item: Plan | null;
}

const DEEPEST = 5;

/** Plans the form of a tool's arguments. What the schema does not name is planned by what it is. */
export function planOf(schema: Schema | null, value: unknown): Plan {
  const root = schema ?? {};
  return planNode(schema ?? inferred(value), value, { name: "", required: true, root, depth: 0 });
}

interface Place {
  name: string;
  required: boolean;
  root: Schema;
  depth: number;
}

function planNode(node: Schema, value: unknown, place: Place): Plan {
  const { schema, nullable } = withoutNull(resolve(node, place.root), place.root);
  const plan: Plan = {
    kind: "json",
    label: labelOf(schema, place.name),
    description: typeof schema.description === "string" ? schema.description : "",
    required: place.required,
    nullable,
    choices: [],
    fields: {},
    item: null,
  };
  const empty = value === undefined || (value === null && nullable);
  const choices = scalars(schema.const === undefined ? schema.enum : [schema.const]);
  if (choices.length > 0)
    return empty || choices.includes(value as string) ? { ...plan, kind: "choice", choices } : plan;
  switch (schema.type) {
    case "string":
      // A text input shows no hidden character, and would save them unseen.
      return empty || (typeof value === "string" && isPlain(value)) ? { ...plan, kind: "text" } : plan;
    case "number":
    case "integer":
      return empty || typeof value === "number" ? { ...plan, kind: "number" } : plan;
    case "boolean":
      return empty || typeof value === "boolean" ? { ...plan, kind: "boolean" } : plan;
    case "array":
      return planList(plan, schema, value, place);
    case "object":
    case undefined:
      return planObject(plan, schema, value, place);
    default:
      return plan;
  }
}

function planObject(plan: Plan, schema: Schema, value: unknown, place: Place): Plan {
  const described = asSchema(schema.properties);
  const args = isRecord(value) ? value : {};
  // In the order in which the agent wrote them, as they are shown above.
  const names = [...new Set([...Object.keys(args), ...Object.keys(described)])];
  const unclear = schema.oneOf !== undefined || schema.anyOf !== undefined || schema.$ref !== undefined;
  const fits = value === undefined || isRecord(value);
  if (unclear || !fits || place.depth >= DEEPEST || (names.length === 0 && place.depth > 0)) return plan;
  // Names of its own choice cannot be added in a form of fixed fields.
  if (place.depth > 0 && Object.keys(described).length === 0 && isRecord(schema.additionalProperties)) return plan;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = names.map((name): [string, Plan] => [
    name,
    planNode(Object.hasOwn(described, name) ? asSchema(described[name]) : inferred(args[name]), args[name], {
      name,
      required: required.includes(name),
      root: place.root,
      depth: place.depth + 1,
    }),
  ]);
  return { ...plan, kind: "object", fields: Object.fromEntries(fields) };
}

function planList(plan: Plan, schema: Schema, value: unknown, place: Place): Plan {
  if (!isRecord(schema.items) || schema.prefixItems !== undefined || place.depth >= DEEPEST) return plan;
  if (value !== undefined && value !== null && !Array.isArray(value)) return plan;
  const inner = { name: "", required: true, root: place.root, depth: place.depth + 1 };
  const blank = planNode(schema.items, undefined, inner);
  const items = (value ?? []) as readonly unknown[];
  // One plan serves every item, so each must be what the schema says.
  const same = items.every((item) => shape(planNode(asSchema(schema.items), item, inner)) === shape(blank));
  return same && blank.kind !== "json" ? { ...plan, kind: "list", item: blank } : plan;
}

function shape(plan: Plan): string {
  return JSON.stringify([plan.kind, Object.entries(plan.fields).map(([name, field]) => [name, shape(field)])]);
}

/** Describes a value by itself, for a tool that does not say what it takes. */
export function inferred(value: unknown): Schema {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    const same = value.every((item) => typeof item === typeof first && !isRecord(item) && !Array.isArray(item));
    return value.length > 0 && same && first !== null ? { type: "array", items: inferred(first) } : {};
  }
  if (isRecord(value)) {
    const properties = Object.entries(value).map(([name, item]): [string, Schema] => [name, inferred(item)]);
    return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(value) };
  }
  return value === null || value === undefined ? { type: "null" } : { type: typeof value };
}

/** The schema with what the arguments hold beside it, so that an input does not vanish when it is emptied. */
export function completed(schema: Schema | null, args: Readonly<Record<string, unknown>>): Schema {
  const own = inferred(args);
  if (schema === null) return own;
  if (schema.$ref !== undefined || schema.properties === undefined) return schema;
  return { ...schema, properties: { ...asSchema(own.properties), ...asSchema(schema.properties) } };
}

/** A title that a developer wrote; one that was made from the name says less than the name. */
function labelOf(schema: Schema, name: string): string {
  const title = typeof schema.title === "string" ? schema.title : "";
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return title && plain(title) !== plain(name) ? title : name;
}

function scalars(value: unknown): (string | number | boolean)[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  const known = all.filter((one) => ["string", "number", "boolean"].includes(typeof one));
  return known.length === all.filter((one) => one !== null).length ? (known as (string | number | boolean)[]) : [];
}

function isPlain(text: string): boolean {
  // Joined emoji are typed as one character, and seen as one.
  const joined = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;
  return countSuspicious(text.replace(joined, "")).hidden === 0;
}
