"use client";

import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useLayoutEffect } from "react";
import { returnFocus } from "./focus-history";
import styles from "./top-layer.module.css";

type Props = {
  label: string;
  onClose: () => void;
  /** Called when the layer has gone and the focus is where it was. */
  onClosed: () => void;
  children: ReactNode;
};

/**
 * Radix takes the pointer from all of the page, so that the styles of all of it are computed anew:
 * most of the time that the palette took to open. Here the scrim has the pointer already.
 */
function useScrimForPointer(): void {
  useLayoutEffect(() => {
    document.body.dataset.scrim = "";
    return () => {
      delete document.body.dataset.scrim;
    };
  }, []);
}

/**
 * A modal layer near the top of the page, without a head: its first field says what it is. It
 * comes and goes at once.
 */
export function TopLayer({ label, onClose, onClosed, children }: Props) {
  useScrimForPointer();
  return (
    <Radix.Root open onOpenChange={(shown) => !shown && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
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
