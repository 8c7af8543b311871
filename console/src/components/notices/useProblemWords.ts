import { useTranslation } from "react-i18next";
import { ApiError, Unreachable } from "@/api/problem";

/** Why a call failed and what to do next, in the service's own words where it gave some. */
export function useProblemWords(error: unknown): { what: string; fix: string } {
  const { t } = useTranslation();
  if (error instanceof ApiError) return { what: error.problem.detail || error.problem.title, fix: error.problem.fix };
  if (error instanceof Unreachable) return { what: t("problem.unreachable"), fix: t("problem.unreachableFix") };
  return { what: t("problem.unexpected"), fix: "" };
}
