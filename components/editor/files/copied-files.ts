import type { Node, Slice } from "@tiptap/pm/model";
import { isDocumentId } from "@/events/content/document-address";
import { systemRandom } from "@/events/core/clock";
import { reportError } from "@/events/core/error-report";
import { UploadError } from "@/machines/upload/upload";
import { listenForConnection } from "@/components/transfer/upload-requests";
import { requestCopy } from "./file-requests";
import type { FilesOptions } from "./files-options";

/** The files that some content names. */
function filesIn(content: { descendants: Node["descendants"] }): Set<string> {
  const files = new Set<string>();
  content.descendants(({ type, attrs }) => {
    const { file } = attrs;
    if ((type.name === "image" || type.name === "file") && isDocumentId(file)) files.add(file);
  });
  return files;
}

const connection = () =>
  new Promise<void>((settle) => {
    const stop = listenForConnection(() => {
      stop();
      settle();
    });
  });

/** Asks until there is a connection; answers why the document may not have the file, if so. */
async function copied(document: string, file: string): Promise<string | null> {
  const id = systemRandom.uuid();
  for (;;)
    try {
      await requestCopy({ document, file }, id);
      return null;
    } catch (error) {
      if (!(error instanceof UploadError)) throw error;
      if (error.failure !== "offline") return error.failure.message;
      await connection();
    }
}

/**
 * Gives a document the files of what is pasted into it from another one, so that they stay when that
 * one goes; says where this person may not read them.
 */
export async function bringCopies(
  { content }: Slice,
  before: Node,
  { documentId, onRefuse }: FilesOptions,
): Promise<void> {
  const known = filesIn(before);
  for (const file of filesIn(content)) {
    if (known.has(file)) continue;
    const why = await copied(documentId, file).catch((error: unknown) => {
      reportError(error, { during: "copying a file", documentId });
      return null;
    });
    if (why !== null) onRefuse(why);
  }
}
