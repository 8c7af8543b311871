import { Button, Group, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import { ConfirmCall } from "@/features/chat/confirm/ConfirmCall";
import classes from "@/features/chat/confirm/ConfirmDialog.module.css";
import { useConfirmation } from "@/features/chat/confirm/useConfirmation";

interface ConfirmDialogProps {
  requests: readonly Request[];
  onClose: () => void;
}

/** Asks the customer to confirm what the agent wants to do for them, one call or several at once. */
export function ConfirmDialog({ requests, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const small = useMediaQuery("(max-width: 36em)");
  const confirmation = useConfirmation();
  const invalid = requests.some((request) => Object.keys(confirmation.of(request).reading.errors).length > 0);
  return (
    <Modal.Root opened onClose={onClose} fullScreen={small} size="lg" centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Mantine's header: that would be a second banner of the page. */}
        <div className={classes.head}>
          <Modal.Title className={classes.title ?? ""}>
            {t("chat.confirm.title", { count: requests.length })}
          </Modal.Title>
          <Modal.CloseButton aria-label={t("chat.confirm.later")} />
        </div>
        <Modal.Body>
          {/* The dialog itself gets the focus: Enter must not close or approve what nobody has read. */}
          <p className={classes.intro} tabIndex={-1} data-autofocus>
            {t("chat.confirm.intro")}
          </p>
          {requests.map((request) => (
            <ConfirmCall key={request.id} request={request} confirmation={confirmation} />
          ))}
          {requests.length > 1 && (
            <Group gap="xs" justify="flex-end" mt="md">
              <Button
                variant="default"
                disabled={confirmation.busy}
                onClick={() => {
                  confirmation.reject(requests, "");
                }}
              >
                {t("chat.confirm.rejectAll")}
              </Button>
              <Button
                loading={confirmation.busy}
                disabled={invalid}
                onClick={() => {
                  confirmation.approve(requests);
                }}
              >
                {t("chat.confirm.approveAll", { count: requests.length })}
              </Button>
            </Group>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

export default ConfirmDialog;
