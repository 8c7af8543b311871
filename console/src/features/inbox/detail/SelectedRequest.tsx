import { Anchor, Button } from "@mantine/core";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { hasStatus } from "@/api/problem";
import type { Request } from "@/api/types";
import { Notice } from "@/components/notices/Notice";
import { PageLoading } from "@/components/notices/PageLoading";
import { useProblemWords } from "@/components/notices/useProblemWords";
import { INBOX_PATH } from "@/features/inbox/paths";
import type { Selected } from "@/features/inbox/detail/useSelected";

// Fetched beside the list rather than before it.
const detail = import("@/features/inbox/detail/RequestDetail");
const RequestDetail = lazy(async () => ({ default: (await detail).RequestDetail }));

interface SelectedRequestProps {
  selected: Selected;
  onSettled: (request: Request) => void;
  onNext: (() => void) | null;
  /** Called when another request is on the page. */
  onShown: () => void;
}

/** The selected request beside the list, or why it is not there. */
export function SelectedRequest({ selected, onSettled, onNext, onShown }: SelectedRequestProps) {
  const { request, error, retry } = selected;
  const { t } = useTranslation();
  if (request) {
    return (
      <Suspense fallback={<PageLoading label={t("request.loading")} />}>
        <RequestDetail key={request.id} request={request} onSettled={onSettled} onNext={onNext} />
        <Shown key={`shown ${request.id}`} onShown={onShown} />
      </Suspense>
    );
  }
  if (error) return <NoRequest error={error} onRetry={retry} />;
  return <PageLoading label={t("request.loading")} />;
}

/** Tells that what stands beside it has been fetched and is on the page. */
function Shown({ onShown }: { onShown: () => void }) {
  const tell = useEffectEvent(onShown);
  useEffect(() => {
    tell();
  }, []);
  return null;
}

function NoRequest({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const { what, fix } = useProblemWords(error);
  return hasStatus(error, 404) ? (
    <Notice title={t("request.missing")} text={t("request.missingText")}>
      <Anchor component={Link} to={INBOX_PATH}>
        {t("request.back")}
      </Anchor>
    </Notice>
  ) : (
    <Notice alert title={t("request.loadFailed")} text={`${what} ${fix}`}>
      <Button onClick={onRetry}>{t("request.retry")}</Button>
    </Notice>
  );
}
