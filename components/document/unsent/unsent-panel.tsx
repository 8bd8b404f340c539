"use client";

import { tolerate } from "@/events/core/error-report";
import { Copy, FilePlus2 } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { systemClock } from "@/events/core/clock";
import { deviceOutbox } from "@/events/device/device-outbox";
import { watchOutbox } from "@/events/device/outbox-store";
import { broadcastNews } from "@/events/device/tab-news";
import { letGo, readUnsent } from "@/machines/sync/device/unsent-text";
import type { Unsent } from "@/machines/sync/device/unsent-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useToast } from "@/components/ui/toast";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import { SaveElsewhere } from "./save-elsewhere";
import styles from "./unsent.module.css";

type Props = { documentId: string; userId: string };

/** Shows a person's unsaved text in a document on this device: to read, copy, or save elsewhere. */
export function UnsentPanel({ documentId, userId }: Props) {
  const toast = useToast();
  const copyText = useCopyText();
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const [saving, setSaving] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  useEffect(() => {
    let shown = true;
    const scope = { userId, documentId };
    const read = () =>
      void readUnsent(deviceOutbox(), scope).then(
        (found) => shown && setUnsent(found),
        // If the device cannot be read, no text is shown.
        () => undefined,
      );
    // A page that has just closed, for example that of a deleted document, may still store its last
    // edits.
    const stop = watchOutbox(scope, broadcastNews, read);
    read();
    return () => {
      shown = false;
      stop();
    };
  }, [userId, documentId]);
  const drop = useCallback(
    (how: "remove" | "setAside", records: Unsent["records"]) =>
      letGo(deviceOutbox(), { userId, documentId }, systemClock, how, records),
    [userId, documentId],
  );
  if (unsent === null) return null;
  const { text, changes, records } = unsent;
  const remove = () =>
    void drop("remove", records).then(
      () => setUnsent(null),
      () =>
        toast({
          text: "This browser does not let the page change what it keeps. Try again after a reload.",
        }),
    );
  return (
    <section className={styles.panel} aria-label="Unsaved text">
      <h2>You have unsaved text here</h2>
      <p>
        {changes === 1 ? "1 change" : `${changes} changes`} you made in this document could not be
        saved. Only this device has {changes === 1 ? "it" : "them"}, and only you can see{" "}
        {changes === 1 ? "it" : "them"} here.
      </p>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <div
        className={styles.text}
        role="textbox"
        aria-readonly="true"
        aria-multiline="true"
        aria-label="Your unsaved text"
        tabIndex={0}
      >
        {text || "None of it can be shown as text."}
      </div>
      <div className={styles.actions}>
        {text !== "" && (
          <>
            <Button look="primary" onClick={() => setSaving(true)}>
              <Icon of={FilePlus2} />
              Save as new document
            </Button>
            <Button look="edge" onClick={() => void copyText(text, "Text copied")}>
              <Icon of={Copy} />
              Copy
            </Button>
          </>
        )}
        {isConfirming ? (
          <Button look="danger" onClick={remove}>
            Remove for good
          </Button>
        ) : (
          <Button look="quiet" onClick={() => setIsConfirming(true)}>
            Remove
          </Button>
        )}
      </div>
      {saving && (
        <SaveElsewhere
          text={text}
          userId={userId}
          onClose={() => setSaving(false)}
          onSaved={() => drop("setAside", records).catch(tolerate("setting edits aside"))}
        />
      )}
    </section>
  );
}
