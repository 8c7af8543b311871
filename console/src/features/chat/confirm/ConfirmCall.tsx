import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { ArgumentsText } from "@/components/text/ArgumentsText";
import { PlainText } from "@/components/text/PlainText";
import { ProblemAlert } from "@/components/notices/ProblemAlert";
import { useFocusOnMount } from "@/components/useFocusOnMount";
import { ArgumentFields } from "@/features/chat/confirm/ArgumentFields";
import classes from "@/features/chat/confirm/ConfirmDialog.module.css";
import type { Confirmation } from "@/features/chat/confirm/useConfirmation";
import { formatCountdown } from "@/time/format";
import { useNow } from "@/time/useNow";

/** One call to confirm: exactly what would run, to approve, to change or to reject. */
export function ConfirmCall({ request, confirmation }: { request: Request; confirmation: Confirmation }) {
  const { t } = useTranslation();
  const [rejecting, setRejecting] = useState(false);
  const { fields, draft, reading } = confirmation.of(request);
  // LangChain repeats the call below its sentence; the form shows it exactly.
  const description = request.description.replace(/\n\nTool: [^\n]*\nArgs: [\s\S]*$/, "");
  const busy = confirmation.busy;
  const error = confirmation.errors[request.id];
  const mayEdit = request.allowed.includes("edit") && fields.length > 0;
  return (
    <section className={classes.call} aria-label={request.tool}>
      <h3 className={classes.tool}>
        <PlainText text={request.tool} />
      </h3>
      {description && (
        <p className={classes.description}>
          <PlainText text={description} />
        </p>
      )}
      {mayEdit ? (
        <ArgumentFields
          fields={fields}
          args={request.args}
          draft={draft}
          errors={reading.errors}
          disabled={busy}
          onChange={(changed) => {
            confirmation.change(request.id, changed);
          }}
        />
      ) : (
        <ArgumentsText args={request.args} label={t("chat.confirm.parameters")} />
      )}
      {request.deadline && <TimeLeft deadline={request.deadline} />}
      {error !== undefined && <ProblemAlert title={t("chat.confirm.refused")} error={error} />}
      {rejecting ? (
        <RejectCall
          busy={busy}
          onReject={(reason) => {
            confirmation.reject([request], reason);
          }}
          onCancel={() => {
            setRejecting(false);
          }}
        />
      ) : (
        <Group gap="xs">
          <Button
            size="sm"
            loading={busy}
            disabled={Object.keys(reading.errors).length > 0}
            onClick={() => {
              confirmation.approve([request]);
            }}
          >
            {t(reading.changed ? "chat.confirm.approveEdited" : "chat.confirm.approve")}
          </Button>
          {request.allowed.includes("reject") && (
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => {
                setRejecting(true);
              }}
            >
              {t("chat.confirm.reject")}
            </Button>
          )}
        </Group>
      )}
    </section>
  );
}

interface RejectCallProps {
  busy: boolean;
  onReject: (reason: string) => void;
  onCancel: () => void;
}

function RejectCall({ busy, onReject, onCancel }: RejectCallProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const field = useFocusOnMount<HTMLTextAreaElement>();
  return (
    <>
      <Textarea
        ref={field}
        label={t("chat.confirm.reason")}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
        autosize
        minRows={1}
      />
      <Group gap="xs">
        <Button
          size="sm"
          color="red.9"
          loading={busy}
          onClick={() => {
            onReject(reason.trim());
          }}
        >
          {t("chat.confirm.rejectSubmit")}
        </Button>
        <Button size="sm" variant="default" disabled={busy} onClick={onCancel}>
          {t("chat.confirm.cancel")}
        </Button>
      </Group>
    </>
  );
}

function TimeLeft({ deadline }: { deadline: string }) {
  const { t, i18n } = useTranslation();
  const left = Date.parse(deadline) - useNow();
  return (
    <p className={classes.aside}>{t("chat.confirm.deadline", { length: formatCountdown(left, i18n.language) })}</p>
  );
}
