"use client";

import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import type { Store } from "@/events/log/store";
import styles from "@/components/ui/screen/page-notice.module.css";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { broughtImport } from "./import-status";
import type { BroughtImport } from "./import-status";

type Props = {
  documentId: string;
  store: Pick<Store, "read">;
  /** The newest version that the page has seen. */ version: number;
};

/**
 * Shows the source file of an imported document, its authors there, and whether only a part of it
 * was imported. Renders nothing for other documents.
 */
export function ImportNotice({ documentId, store, version }: Props) {
  const [found, setFound] = useState<BroughtImport | null>(null);
  // An incomplete import is read again once its last version may have arrived.
  const ended = found !== null && !found.whole && version >= found.complete;
  useEffect(() => {
    let stopped = false;
    broughtImport(store, documentId).then(
      (read) => !stopped && setFound(read),
      // Without an answer the notice is left out. The history still shows the import.
      () => undefined,
    );
    return () => {
      stopped = true;
    };
  }, [documentId, store, ended]);
  if (found === null) return null;
  return (
    <aside className={styles.fork} aria-label="Import">
      <Icon of={FileInput} />
      <p>
        {found.words}{" "}
        {found.whole ? (
          <Link className="link" href={`/d/${documentId}?at=${found.complete}`}>
            As it came
          </Link>
        ) : (
          "Only a part of it is here: the import has not come to its end. If it does not go " +
          "on, move this document to the trash and import the file again."
        )}
      </p>
    </aside>
  );
}
