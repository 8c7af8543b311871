import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { handBack, say, takeOver } from "@/api/sessions";
import { isLead, useMe } from "@/api/useMe";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import classes from "@/transcript/Takeover.module.css";

interface TakeoverProps {
  sessionId: string;
  takenBy: string | null;
}

/**
 * Lets an operator talk to the customer in the agent's place, and give the conversation back. A lead can do both with
 * a conversation that somebody else has.
 */
export function Takeover({ sessionId, takenBy }: TakeoverProps) {
  const { t } = useTranslation();
  const me = useMe().data;
  const [text, setText] = useState("");
  const take = useMutation({ mutationFn: () => takeOver(sessionId) });
  const give = useMutation({ mutationFn: () => handBack(sessionId) });
  const speak = useMutation({
    mutationFn: () => say(sessionId, text.trim()),
    onSuccess: () => {
      setText("");
    },
  });
  const failed = [take, give, speak].find(({ isError }) => isError);
  const mine = takenBy !== null && takenBy === me?.id;
  const handBackButton = (
    <Button
      variant="default"
      loading={give.isPending}
      onClick={() => {
        give.mutate();
      }}
    >
      {t("sessions.handBack")}
    </Button>
  );

  const send = () => {
    if (text.trim() && !speak.isPending) speak.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <div className={classes.foot}>
      <div className={classes.bar}>
        {failed && <ProblemAlert title={t("sessions.refused")} error={failed.error} />}
        {mine ? (
          <>
            <Textarea
              className={classes.field}
              aria-label={t("sessions.say")}
              placeholder={t("sessions.sayHint")}
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
              }}
              onKeyDown={onKeyDown}
              autosize
              maxRows={6}
            />
            <Button onClick={send} loading={speak.isPending} disabled={!text.trim()}>
              {t("sessions.send")}
            </Button>
            {handBackButton}
          </>
        ) : (
          <>
            <span className={classes.grow}>
              {takenBy === null ? t("sessions.withAgent") : t("sessions.with", { who: takenBy })}
            </span>
            <Button
              variant="default"
              disabled={takenBy !== null && !isLead(me)}
              loading={take.isPending}
              onClick={() => {
                take.mutate();
              }}
            >
              {t("sessions.takeOver")}
            </Button>
            {takenBy !== null && isLead(me) && handBackButton}
          </>
        )}
      </div>
    </div>
  );
}
