import { onDemand } from "@/components/loading/on-demand";
import { TransferButton } from "@/components/transfer/transfer-button";
import styles from "./members-page.module.css";

const WorkspaceDownload = onDemand(() =>
  import("./workspace-download").then((module) => module.WorkspaceDownload),
);

/** Offers the download of a whole workspace. */
export function WorkspaceExport() {
  return (
    <section aria-labelledby="workspace-export">
      <h2 id="workspace-export" className={styles.heading}>
        Export
      </h2>
      <div className={styles.export}>
        <small>
          One archive with every document of this workspace as Markdown, in folders as they stand in
          each other, and their images and files. “Import” takes it back. Histories are downloaded
          with each document.
        </small>
        <TransferButton name="Download workspace" Transfer={WorkspaceDownload} />
      </div>
    </section>
  );
}
