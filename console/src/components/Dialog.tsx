import { Modal, type ModalRootProps } from "@mantine/core";
import type { KeyboardEvent, ReactNode } from "react";
import classes from "@/components/Dialog.module.css";

interface DialogProps {
  opened: boolean;
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** Hears the keys that are pressed in it, which the page behind it does not. */
  onKeyDown?: (event: KeyboardEvent) => void;
  size?: ModalRootProps["size"];
  fullScreen?: boolean;
  closeOnClickOutside?: boolean;
  children: ReactNode;
}

/** A dialog over the page. Its title gets the focus: Enter must not press what nobody has read. */
export function Dialog({ title, closeLabel, onKeyDown, children, ...root }: DialogProps) {
  return (
    <Modal.Root
      {...root}
      onKeyDown={(event) => {
        // Keys must not decide something behind the dialog. Escape is heard before it gets here.
        event.stopPropagation();
        onKeyDown?.(event);
      }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Mantine's own head: a second banner on the page would confuse a screen reader. */}
        <div className={classes.head}>
          <Modal.Title className={classes.title ?? ""} tabIndex={-1} data-autofocus>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label={closeLabel} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
