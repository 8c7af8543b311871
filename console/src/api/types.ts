/** The service's nouns, named as in its own code. Everything comes from the generated schema. */
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Info = Schemas["Info"];
export type Session = Schemas["Session"];
export type SessionStatus = Session["status"];
export type Request = Schemas["Request"];
export type RequestKind = Request["kind"];
export type Actor = Schemas["Actor"];
export type Option = Schemas["Option"];
export type Decision = NonNullable<Request["decision"]>;
export type DecisionKind = Decision["type"];
export type Args = Request["args"];
export type Me = Schemas["Me"];
