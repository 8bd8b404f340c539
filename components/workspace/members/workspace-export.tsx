"use client";

import { useCallback, useRef, useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { Button } from "@/components/ui/button";
import styles from "./members-page.module.css";

const WorkspaceDownload = onDemand(() =>
  import("./workspace-download").then((module) => module.WorkspaceDownload),
);

/** Where a whole workspace can be taken along. */
export function WorkspaceExport() {
  const [isMaking, setMaking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = useCallback(() => {
    setMaking(false);
    button.current?.focus();
  }, []);
  return (
    <section aria-labelledby="workspace-export">
      <h2 id="workspace-export" className={styles.heading}>
        Export
      </h2>
      <div className={styles.usage}>
        <small>
          One archive with every document of this workspace as Markdown, in folders as they stand in
          each other, and their images and files. “Import” takes it back. Histories are downloaded
          with each document.
        </small>
        <div>
          <Button ref={button} look="edge" busy={isMaking} onClick={() => setMaking(true)}>
            Download workspace
          </Button>
        </div>
        {isMaking && <WorkspaceDownload onEnd={end} />}
      </div>
    </section>
  );
}
