"use client";

import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import type { Store } from "@/events/log/store";
import styles from "@/components/ui/screen/page-notice.module.css";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { type BroughtImport, broughtImport } from "./import-status";

type Props = {
  documentId: string;
  store: Pick<Store, "read">;
  /** The newest version that the page knows. */ version: number;
};

/**
 * Says of a document that began as an import which file it comes from and who wrote it there, and
 * where only a part of it came; nothing of any other.
 */
export function ImportNotice({ documentId, store, version }: Props) {
  const [found, setFound] = useState<BroughtImport | null>(null);
  // What is still on its way is looked at again when it may have come to its end.
  const ended = found !== null && !found.whole && version >= found.complete;
  useEffect(() => {
    let stopped = false;
    broughtImport(store, documentId).then(
      (read) => !stopped && setFound(read),
      // Without an answer the page says nothing of where it comes from; the history goes on saying it.
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
