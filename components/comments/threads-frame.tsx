import { type ReactNode, type RefObject } from "react";
import { Dialog } from "@/components/ui/dialog";
import styles from "./threads.module.css";

type Props = {
  narrow: boolean;
  open: boolean;
  margin: RefObject<HTMLElement | null>;
  /** The sheet is opened or closed. */
  onSheet: (open: boolean) => void;
  /** The focus is to go back to the text. */
  onSheetLeft: () => void;
  children: ReactNode;
};

/** Where the threads stand: in the margin beside their words, or on a phone in a sheet. */
export function ThreadsFrame({ narrow, open, margin, onSheet, onSheetLeft, children }: Props) {
  if (narrow)
    return (
      <Dialog
        open={open}
        onOpenChange={onSheet}
        title="Comments"
        place="sheet"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onSheetLeft();
        }}
      >
        <div className={styles.sheet}>{children}</div>
      </Dialog>
    );
  return (
    open && (
      <aside
        ref={margin}
        className={styles.margin}
        aria-label="Comments"
        data-landmark
        tabIndex={-1}
      >
        {children}
      </aside>
    )
  );
}
