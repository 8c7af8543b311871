/** What the two event streams carry. */
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
export type Fact = Event["fact"];
export type EventName = NonNullable<Fact["name"]>;

/** One frame of `GET /sessions/{id}/events`. Deltas are live only: the stored message replaces them. */
export type SessionFrame = Schemas["EventFrame"] | Schemas["DeltaFrame"];

/** One frame of `WS /live/ws`. A connection without a usable cursor starts with a snapshot. */
export type LiveFrame = Schemas["SnapshotFrame"] | Schemas["EventFrame"] | Schemas["HeartbeatFrame"];
