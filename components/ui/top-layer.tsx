"use client";

import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { returnFocus } from "./keyboard/focus-history";
import { Scrim } from "./scrim";
import styles from "./top-layer.module.css";

type Props = {
  label: string;
  onClose: () => void;
  /** Called when the layer has closed and the focus has returned. */
  onClosed: () => void;
  children: ReactNode;
};

/**
 * Renders a modal layer near the top of the page, without animation. The layer has no header,
 * because its first field explains its purpose.
 */
export function TopLayer({ label, onClose, onClosed, children }: Props) {
  return (
    <Radix.Root open onOpenChange={(shown) => !shown && onClose()}>
      <Radix.Portal>
        <Scrim className={styles.scrim} />
        <Radix.Content
          className={styles.layer}
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
            onClosed();
          }}
        >
          <Radix.Title className="sr">{label}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
