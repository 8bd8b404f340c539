"use client";

import { Fragment } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useApple } from "@/components/ui/keyboard/apple";
import { shownKeys } from "@/components/ui/keyboard/keys";
import { sections } from "./shortcuts";
import styles from "./shortcuts-dialog.module.css";

/** Lists every shortcut of the product, with the key names of this keyboard. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const apple = useApple();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keyboard shortcuts"
      place="wide"
    >
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <div className={styles.sections} tabIndex={0} role="group" aria-label="Shortcuts">
        {sections.map(({ name, note, shortcuts }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            {note && <p>{note}</p>}
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((each, index) => (
                      <Fragment key={each}>
                        {index > 0 && <span className={styles.or}> or </span>}
                        {shownKeys(each, apple).map((part) => (
                          <kbd key={part}>{part}</kbd>
                        ))}
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
