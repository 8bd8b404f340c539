import type { Node, Slice } from "@tiptap/pm/model";
import { isDocumentId } from "@/events/content/document-address";
import { systemRandom } from "@/events/core/clock";
import { reportError } from "@/events/core/error-report";
import { UploadError } from "@/machines/upload/upload";
import { listenForConnection } from "@/components/transfer/upload-requests";
import { requestCopy } from "./file-requests";
import type { FilesOptions } from "./files-options";

/** Returns the ids of the files to which some content refers. */
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

/**
 * Requests a copy, and repeats the request until there is a connection. Returns the refusal, or
 * null.
 */
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
 * Copies the files of content pasted from another document into this one, so that the files outlive
 * that document. Reports files that this person may not read.
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
