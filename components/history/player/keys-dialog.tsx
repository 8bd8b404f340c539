"use client";

import { Dialog } from "@/components/ui/dialog";
import { bindings } from "@/components/history/playback/player-keys";
import { backToSlider } from "@/components/history/playback/slider-focus";
import styles from "./player-dialogs.module.css";

const tenths = { shown: ["0", "9"], does: "Jump by tenths of the history" };

/** The keys of the player, all of them. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Keys of the player"
      description="They work while the player has the focus."
    >
      <dl className={styles.keys}>
        {[...bindings, tenths].map(({ shown, does }) => (
          <div key={does}>
            <dt>
              {shown.map((key, index) => (
                <span key={key}>
                  {index > 0 && (
                    <span className={styles.or}>{shown === tenths.shown ? " to " : " or "}</span>
                  )}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
