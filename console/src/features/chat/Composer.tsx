import { ActionIcon, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SendIcon, StopIcon } from "@/components/icons";
import classes from "@/features/chat/Composer.module.css";

interface ComposerProps {
  waiting: boolean;
  onSend: (text: string) => void;
  /** Given while there is something to stop. */
  onStop?: (() => void) | undefined;
  children?: ReactNode;
}

export function Composer({ waiting, onSend, onStop, children }: ComposerProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.trim();

  const send = () => {
    if (!text) return;
    onSend(text);
    setDraft("");
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter picks a candidate.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={classes.row}>
        <Textarea
          ref={field}
          className={classes.field}
          aria-label={t("chat.composer.label")}
          placeholder={t(waiting ? "chat.composer.placeholderWaiting" : "chat.composer.placeholder")}
          value={draft}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          autosize
          minRows={1}
          maxRows={8}
          size="md"
          radius="lg"
        />
        <ActionIcon type="submit" size={42} radius="lg" aria-label={t("chat.composer.send")} disabled={!text}>
          <SendIcon />
        </ActionIcon>
        {onStop && (
          <ActionIcon
            variant="default"
            size={42}
            radius="lg"
            aria-label={t("chat.stop")}
            title={t("chat.stop")}
            onClick={() => {
              onStop();
            }}
          >
            <StopIcon />
          </ActionIcon>
        )}
      </div>
      <div className={classes.below}>
        <Text size="xs" c="dimmed" className={classes.hint}>
          {t("chat.composer.hint")}
        </Text>
        {children}
      </div>
    </form>
  );
}
