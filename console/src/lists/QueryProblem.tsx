import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { hasStatus } from "@/api/problem";
import { signInUrl } from "@/api/useMe";
import { Notice } from "@/components/notices/Notice";
import { useProblemWords } from "@/components/notices/useProblemWords";

/** In place of what could not be loaded: not signed in, not allowed, not there, or no answer. */
export function QueryProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const { what, fix } = useProblemWords(error);
  if (hasStatus(error, 401)) {
    return (
      <Notice title={t("lists.signIn")} text={t("lists.signInText")}>
        <Button component="a" href={signInUrl()}>
          {t("lists.signIn")}
        </Button>
      </Notice>
    );
  }
  if (hasStatus(error, 403)) return <Notice title={t("lists.forbidden")} text={t("lists.forbiddenText")} />;
  if (hasStatus(error, 404)) return <Notice title={t("lists.missing")} text={t("lists.missingText")} />;
  return (
    <Notice alert title={t("lists.failed")} text={`${what} ${fix}`}>
      <Button onClick={onRetry}>{t("lists.retry")}</Button>
    </Notice>
  );
}
