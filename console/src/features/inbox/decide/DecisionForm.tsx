import { Button } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffectEvent, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import classes from "@/features/inbox/decide/DecisionPanel.module.css";
import type { Draft } from "@/features/inbox/decide/drafts";
import type { Act } from "@/features/inbox/decide/useDecide";

/** What every form of a decision is given. What is typed is kept by whoever shows the form. */
export interface DecisionFormProps {
  request: Request;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  pending: boolean;
  /** Somebody else has the request: the form can be read, and nothing can be sent. */
  blocked: boolean;
  /** Why the last try failed. */
  error: unknown;
  onSubmit: (act: Act) => void;
  /** Null when the form is the only thing there is. */
  onCancel: (() => void) | null;
}

interface FrameProps {
  label: string;
  submitLabel: string;
  danger?: boolean;
  pending: boolean;
  blocked: boolean;
  onSubmit: () => void;
  onCancel: (() => void) | null;
  children: ReactNode;
}

/** The frame that the forms share: Ctrl+Enter submits from anywhere, Escape leaves. */
export function DecisionForm(props: FrameProps) {
  const { label, submitLabel, danger = false, pending, blocked, onSubmit, onCancel, children } = props;
  const { t } = useTranslation();
  const submit = () => {
    if (!pending && !blocked) onSubmit();
  };
  useOutsideKeys(submit, onCancel);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
    if (event.key === "Escape" && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    // The keys are a shortcut for the two buttons below, which do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.form}
      aria-label={label}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <div className={classes.submit}>
        <Button type="submit" color={danger ? "red.9" : undefined} loading={pending} disabled={blocked}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button variant="default" disabled={pending} onClick={onCancel}>
            {t("decision.cancel")}
          </Button>
        )}
        <span className={classes.hint}>{t("decision.submitHint")}</span>
      </div>
    </form>
  );
}

/** The form's two keys work even when the focus is elsewhere; Escape before the page takes it for its own. */
function useOutsideKeys(onSubmit: () => void, onCancel: (() => void) | null): void {
  const press = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const within = event.target instanceof Element && event.target.closest("form, [role=dialog], input, textarea");
    if (within || event.repeat) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    }
    if (event.key === "Escape" && onCancel) {
      event.stopImmediatePropagation();
      onCancel();
    }
  });
  useLayoutEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      press(event);
    };
    document.addEventListener("keydown", listen, true);
    return () => {
      document.removeEventListener("keydown", listen, true);
    };
  }, []);
}
