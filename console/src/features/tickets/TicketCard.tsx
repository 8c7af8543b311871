import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { hasStatus } from "@/api/problem";
import { answerTicket, type Ticket } from "@/api/tickets";
import { PlainText } from "@/components/text/PlainText";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import classes from "@/lists/ListPage.module.css";
import { formatLength, formatMoment } from "@/time/format";
import { useNow } from "@/time/useNow";

/** One question to come back to, with its answer or the field to write one. */
export function TicketCard({ ticket }: { ticket: Ticket }) {
  const { t, i18n } = useTranslation();
  const now = useNow(10_000);
  return (
    <li className={classes.card}>
      <p className={classes.meta}>
        <strong>{t("tickets.number", { number: ticket.number })}</strong>
        <time dateTime={ticket.created_at} title={formatMoment(ticket.created_at, i18n.language)}>
          {t("tickets.asked", { length: formatLength(now - Date.parse(ticket.created_at), i18n.language) })}
        </time>
        <Link to={`/console/sessions/${encodeURIComponent(ticket.session_id)}`}>{t("tickets.session")}</Link>
      </p>
      <p className={classes.text}>
        <PlainText text={ticket.question} />
      </p>
      {ticket.status === "open" ? (
        <AnswerForm ticket={ticket} />
      ) : (
        <div className={classes.answer}>
          <p className={classes.text}>
            <PlainText text={ticket.answer} />
          </p>
          <p className={classes.meta}>
            {t("tickets.answeredBy", { who: ticket.answered_by?.id ?? "" })}
            {ticket.answered_at && ` · ${formatMoment(ticket.answered_at, i18n.language)}`}
          </p>
        </div>
      )}
    </li>
  );
}

function AnswerForm({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const answer = useMutation({
    mutationFn: () => answerTicket(ticket.number, text.trim()),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tickets"] }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) answer.mutate();
      }}
    >
      <Textarea
        aria-label={t("tickets.answerTo", { number: ticket.number })}
        placeholder={t("tickets.placeholder")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
        }}
        autosize
        minRows={2}
        maxRows={10}
        mb={8}
      />
      {answer.isError && (
        <ProblemAlert
          title={t(hasStatus(answer.error, 409) ? "tickets.lost" : "tickets.refused")}
          error={answer.error}
        />
      )}
      <Button type="submit" size="sm" mt={4} loading={answer.isPending} disabled={!text.trim()}>
        {t("tickets.send")}
      </Button>
    </form>
  );
}
