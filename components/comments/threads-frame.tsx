import type { ReactNode, RefObject } from "react";
import { Dialog } from "@/components/ui/dialog";
import styles from "./threads.module.css";

type Props = {
  narrow: boolean;
  open: boolean;
  margin: RefObject<HTMLElement | null>;
  onSheet: (open: boolean) => void;
  /** Called when the focus should return to the text. */
  onSheetLeft: () => void;
  children: ReactNode;
};

/** Contains the threads: a margin beside the text, or a sheet on phones. */
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
