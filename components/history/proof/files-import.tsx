"use client";

import { Ban, FileArchive, FileText } from "lucide-react";
import { isolated } from "@/events/core/text/isolated";
import { numberWords } from "@/events/core/text/number-words";
import { bytesWords } from "@/events/content/file-attributes";
import type { Store } from "@/events/log/store";
import type { ImportedDocument, ImportedFile } from "@/events/worker/import-jobs";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { Progress } from "@/components/ui/progress";
import styles from "./files-import.module.css";
import { reasons } from "./import-reasons";
import proof from "./proof.module.css";
import { useFilesImport } from "./use-files-import";

type Props = {
  file: File;
  store: Pick<Store, "append">;
  workspaceId: string;
  onImported: (id: string) => void;
  onChange: () => void;
  onClose: () => void;
};

/** The largest number of documents that are listed by name. */
const mostNamed = 8;
const many = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${numberWords(count)} ${more}`;

function contentWords({ words, pictures, threads }: ImportedDocument): string {
  const comments = threads.reduce((sum, thread) => sum + thread.comments.length, 0);
  return [
    many(words, "word", "words"),
    ...(pictures.length > 0 ? [many(pictures.length, "image", "images")] : []),
    ...(comments > 0 ? [many(comments, "comment", "comments")] : []),
  ].join(", ");
}

/** Returns the progress of importing a file with these documents. */
function progressOf(
  { documents }: ImportedFile,
  { done, pictures }: { done: number; pictures: number },
) {
  const images = documents.reduce((sum, document) => sum + document.pictures.length, 0);
  const words = `${done} of ${many(documents.length, "document", "documents")}`;
  return {
    value: done + pictures,
    most: documents.length + images,
    words: images === 0 ? words : `${words}, ${pictures} of ${many(images, "image", "images")}`,
  };
}

function depthOf(documents: readonly ImportedDocument[], { parent }: ImportedDocument): number {
  let depth = 0;
  for (let at = parent; at !== null; at = documents[at]?.parent ?? null) depth += 1;
  return depth;
}

function Preview({ documents, left }: ImportedFile) {
  const rest = documents.length - mostNamed;
  return (
    <div>
      <h3 id="comes-in" className={styles.heading}>
        What comes in
      </h3>
      <ul aria-labelledby="comes-in" className={styles.list}>
        {documents.slice(0, mostNamed).map((document, index) => (
          <li
            key={index}
            style={{ paddingInlineStart: 20 * Math.min(4, depthOf(documents, document)) }}
          >
            <Icon of={FileText} />
            <span className={styles.name}>
              {document.title === "" ? "Untitled" : document.title}
            </span>
            <small>{contentWords(document)}</small>
          </li>
        ))}
        {rest > 0 && <li className={styles.rest}>and {many(rest, "more", "more")}</li>}
      </ul>
      {left.length > 0 && (
        <>
          <h3 id="stays-behind" className={styles.heading}>
            Not included
          </h3>
          <ul aria-labelledby="stays-behind" className={styles.list}>
            {left.map(([what, count]) => (
              <li key={what}>
                <Icon of={Ban} />
                <span className={styles.name}>{many(count, reasons[what]?.[0] ?? what, what)}</span>
                <small>{reasons[what]?.[1] ?? ""}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Shows what a file contains, and imports it on request. */
export function FilesImport({ onChange, onClose, ...input }: Props) {
  const { step, confirm } = useFilesImport(input);
  const { file } = input;
  return (
    <>
      <div className={styles.source}>
        <Icon of={FileArchive} />
        <span className={styles.name}>
          <b>{isolated(file.name)}</b>
          <small>{bytesWords(file.size)}</small>
        </span>
        {step.state !== "importing" && (
          <Button look="quiet" onClick={onChange}>
            Change file
          </Button>
        )}
      </div>
      {step.state === "reading" && (
        <Progress
          label="Reading the file"
          value={step.all > 1 ? step.done : null}
          most={step.all}
          words={step.all > 1 ? `Read ${step.done} of ${step.all} documents` : "Reading"}
        />
      )}
      {step.state === "read" && <Preview {...step.file} />}
      {step.state === "importing" && (
        <Progress label="Importing" {...progressOf(step.file, step)} />
      )}
      {step.state === "failed" && (
        <p role="alert" className={proof.refused}>
          Nothing was imported. {step.why}
        </p>
      )}
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          Cancel
        </Button>
        {step.state !== "failed" && (
          <Button
            look="primary"
            busy={step.state !== "read"}
            onClick={() => step.state === "read" && void confirm(step.file)}
          >
            Import
          </Button>
        )}
      </DialogActions>
    </>
  );
}
