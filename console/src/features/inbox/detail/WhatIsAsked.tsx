import { ActionIcon, Button, CopyButton, Title } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { Request } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { ExactText } from "@/components/text/ExactText";
import { BackIcon, CheckIcon, CopyIcon } from "@/components/icons";
import { LongText } from "@/components/text/LongText";
import { AgentWords } from "@/features/inbox/detail/AgentWords";
import { INBOX_PATH } from "@/features/inbox/paths";
import classes from "@/features/inbox/detail/RequestDetail.module.css";
import { RequestFacts } from "@/features/inbox/detail/RequestFacts";

const SHORT_DIGEST = 12;

/** Exactly what would run, or what is asked, as text; and apart from it what the agent wrote about it. */
export const WhatIsAsked = memo(function WhatIsAsked({ request }: { request: Request }) {
  const { t } = useTranslation();
  // The filters are in the address; the list is to be found as it was left.
  const { search } = useLocation();
  const isQuestion = request.kind === "question";
  // LangChain repeats the call below its sentence; the arguments show it exactly.
  const description = request.description.replace(/\n\nTool: [^\n]*\nArgs: [\s\S]*$/, "");
  return (
    <div className={classes.body}>
      <Button
        component={Link}
        to={{ pathname: INBOX_PATH, search }}
        className={classes.back}
        variant="subtle"
        color="gray"
        c="dimmed"
        size="compact-sm"
        leftSection={<BackIcon />}
      >
        {t("request.back")}
      </Button>

      <header>
        <p className={classes.lead}>
          {t(`request.${request.kind}`)}
          {isQuestion && request.question_type && ` · ${t(`request.questionType.${request.question_type}`)}`}
          {request.audience === "customer" && ` · ${t("request.forCustomer")}`}
        </p>
        <Title
          order={2}
          size={isQuestion ? "h4" : "h3"}
          className={classes.title}
          data-kind={isQuestion ? "question" : "approval"}
          tabIndex={-1}
        >
          {isQuestion && request.question ? <LongText text={request.question} /> : <ExactText text={request.tool} />}
        </Title>
      </header>

      <RequestFacts request={request} />

      {!isQuestion && (
        <section>
          <h3 className={classes.heading}>{t("request.arguments")}</h3>
          <ArgumentsText args={request.args} label={t("request.arguments")} />
          {request.digest && <Digest digest={request.digest} />}
        </section>
      )}
      {description && (
        <AgentWords title={t("request.description")}>
          <p className={classes.words}>
            <LongText text={description} />
          </p>
        </AgentWords>
      )}
      {Object.keys(request.context).length > 0 && (
        <AgentWords title={t("request.context")}>
          <ArgumentsText args={request.context} label={t("request.context")} />
        </AgentWords>
      )}
      {request.ruling?.reason && (
        <section>
          <h3 className={classes.heading}>{t("request.why")}</h3>
          <p className={classes.words}>
            <LongText text={request.ruling.reason} />
          </p>
        </section>
      )}
    </div>
  );
});

/** The fingerprint of tool and arguments: what runs must have the same. */
function Digest({ digest }: { digest: string }) {
  const { t } = useTranslation();
  return (
    <p className={classes.digest}>
      {t("request.digest")} <code title={digest}>{digest.slice(0, SHORT_DIGEST)}…</code>
      <CopyButton value={digest}>
        {({ copied, copy }) => (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            c="dimmed"
            aria-label={t(copied ? "request.digestCopied" : "request.digestCopy")}
            onClick={copy}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        )}
      </CopyButton>
    </p>
  );
}
