import { Anchor } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { hasStatus, isRefusal, Unreachable } from "@/api/problem";
import { signInUrl } from "@/api/useMe";
import { Callout } from "@/components/notices/Callout";
import { ProblemAlert } from "@/components/notices/ProblemAlert";

/** Why nothing was decided, or why nobody knows; and that what was typed is still there. */
export function DecisionProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { online } = useNetwork();
  if (error instanceof Unreachable) {
    return (
      <Callout tone="caution" title={t("decision.unconfirmed")}>
        <p>{t(online ? "decision.unreachable" : "decision.offline")}</p>
      </Callout>
    );
  }
  if (hasStatus(error, 401)) {
    return (
      <Callout tone="danger" title={t("decision.signedOut")}>
        <p>
          <Anchor href={signInUrl()} inherit>
            {t("decision.signIn")}
          </Anchor>
        </p>
      </Callout>
    );
  }
  if (hasStatus(error, 403)) {
    return (
      <Callout tone="danger" title={t("decision.forbidden")}>
        <p>{t("decision.forbiddenText")}</p>
      </Callout>
    );
  }
  return <ProblemAlert title={t(isRefusal(error) ? "decision.refused" : "decision.unconfirmed")} error={error} />;
}
