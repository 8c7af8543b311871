import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { WaitingIcon } from "@/components/icons";
import { PlainText } from "@/components/text/PlainText";
import { toolNames } from "@/features/chat/confirm/toolNames";
import classes from "@/transcript/Card.module.css";

/** Stands in the conversation while the customer is asked, so that the dialog can be closed and found again. */
export function ConfirmCard({ requests, onReview }: { requests: readonly Request[]; onReview: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.card} data-tone="caution" data-testid="confirm-card">
      <p className={classes.title}>
        <WaitingIcon />
        <span>
          <PlainText text={t("chat.confirm.cardTitle", { tools: toolNames(requests) })} />
        </span>
      </p>
      <Button size="compact-sm" mt={8} onClick={onReview}>
        {t("chat.confirm.review")}
      </Button>
    </section>
  );
}
