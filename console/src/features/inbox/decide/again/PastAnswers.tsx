import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Similar } from "@/api/requests";
import type { Request } from "@/api/types";
import { ExactText } from "@/components/text/ExactText";
import { LongText } from "@/components/text/LongText";
import classes from "@/features/inbox/decide/again/PastAnswers.module.css";
import { formatMoment } from "@/time/format";

interface PastAnswersProps {
  request: Request;
  similar: UseQueryResult<Similar>;
  onUse: (text: string, option: string | null) => void;
}

/** What was answered to the like before, and what the knowledge base says: one click takes it into the answer. */
export function PastAnswers({ request, similar, onUse }: PastAnswersProps) {
  const { t, i18n } = useTranslation();
  if (similar.isError) {
    return (
      <p className={classes.quiet}>
        {t("similar.failed")}{" "}
        <Button size="compact-xs" variant="subtle" onClick={() => void similar.refetch()}>
          {t("request.retry")}
        </Button>
      </p>
    );
  }
  const offers = [
    ...(similar.data?.past_answers ?? []).map((past) => ({
      id: past.request_id,
      question: past.question,
      answer: past.answer,
      option: request.options.find(({ id }) => id === past.selected_option)?.id ?? null,
      source: t("similar.by", {
        who: past.decided_by?.id ?? "",
        when: past.decided_at ? formatMoment(past.decided_at, i18n.language) : "",
      }),
    })),
    ...(similar.data?.passages ?? []).map(({ entry }) => ({
      id: entry.id,
      question: entry.question,
      answer: entry.answer,
      option: null,
      source: t("similar.knowledge"),
    })),
  ];
  if (offers.length === 0) return null;
  return (
    <section aria-label={t("similar.title")}>
      <h4 className={classes.title}>{t("similar.title")}</h4>
      <ul className={classes.offers}>
        {offers.map((offer) => (
          <li key={offer.id} className={classes.offer}>
            <div className={classes.words}>
              <p className={classes.question}>
                <ExactText text={offer.question} />
              </p>
              <p className={classes.answer}>
                <LongText text={offer.answer} />
              </p>
              <p className={classes.quiet}>{offer.source}</p>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                // An option says itself; its label as a text would say it twice.
                onUse(offer.option === null ? offer.answer : "", offer.option);
              }}
            >
              {t("similar.use")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
