/** The parts of JSON Schema that the forms read. A schema comes from a developer's code and may hold anything. */
export type Schema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

/** Follows references inside a schema. One that leads back to itself is left as it is. */
export function resolve(node: Schema, root: Schema, seen: readonly string[] = []): Schema {
  const name = node.$ref;
  if (typeof name !== "string" || !name.startsWith("#/") || seen.includes(name)) return node;
  const found = name
    .slice(2)
    .split("/")
    .reduce<unknown>((place, part) => asSchema(place)[unescape(part)], root);
  return isRecord(found) ? resolve({ ...found, ...without(node, "$ref") }, root, [...seen, name]) : node;
}

/** Looks through `X or null`, which is how an optional argument is described. */
export function withoutNull(node: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  const variants = Array.isArray(node.anyOf) ? node.anyOf.map((one) => resolve(asSchema(one), root)) : [];
  const [first, ...others] = variants.filter(({ type }) => type !== "null");
  if (first && others.length === 0 && variants.length > 1) {
    return { schema: { ...first, ...without(node, "anyOf") }, nullable: true };
  }
  if (Array.isArray(node.type) && node.type.includes("null")) {
    const types = node.type.filter((type) => type !== "null");
    return { schema: { ...node, type: types.length === 1 ? types[0] : types }, nullable: true };
  }
  return { schema: node, nullable: false };
}

function without(node: Schema, name: string): Schema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== name));
}

function unescape(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
