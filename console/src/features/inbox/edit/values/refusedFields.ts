import { ApiError } from "@/api/problem";
import { isRecord } from "@/features/inbox/edit/values/jsonSchema";
import type { FieldFault } from "@/features/inbox/edit/useFaults";

/** Reads from a refusal which fields the service found wrong. */
export function refusedFields(error: unknown): FieldFault[] {
  if (!(error instanceof ApiError)) return [];
  const fields: unknown[] = Array.isArray(error.problem.details.fields) ? error.problem.details.fields : [];
  return fields.flatMap((each) =>
    isRecord(each) && typeof each.field === "string" && typeof each.message === "string"
      ? [{ path: each.field, message: each.message }]
      : [],
  );
}
