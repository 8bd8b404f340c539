import { fileStem } from "@/events/formats/writing/file-stem";
import {
  archivePaths,
  filesInMarkdown,
  withArchivedFiles,
} from "@/events/formats/writing/workspace-files";
import { StoreFault } from "@/events/log/store";
import { request, RefusedRequest } from "@/components/transfer/requests";
import { ZipArchive } from "@/components/transfer/zip-archive";
import type { Work } from "@/machines/transfer/transfer";

/** The size limit of an archive, in bytes, below the 4 GiB that every unzip program can read. */
const mostBytes = 3_900_000_000;

type Exported = { id: string; title: string; file: string | null; why?: string };
type Input = {
  workspace: { id: string; name: string };
  documents: readonly { id: string; title: string; parent: string | null }[];
  origin: string;
};

/** Returns the file name in the server's Content-Disposition. */
function nameIn(headers: Headers): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(headers.get("content-disposition") ?? "")?.[1];
  try {
    return decodeURIComponent(encoded ?? "file");
  } catch {
    // A malformed name must not fail the archive.
    return "file";
  }
}

/** Returns the file's id and name with its extension, valid on every file system. */
function archivedName(file: string, name: string): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.[A-Za-z0-9]{1,8})?$/.exec(name) ?? [];
  return `files/${file} ${fileStem(stem)}${ending}`;
}

/**
 * Fetches a whole workspace, one document at a time, as Markdown files in the folders of the tree.
 * All images and files are in one folder. A retry continues where a fault interrupted the work.
 */
export function workspaceArchive(
  { workspace, documents, origin }: Input,
  onArchive: (archive: Blob) => void,
): Work {
  const paths = archivePaths(documents);
  const documentPathOf = (id: string) => {
    const path = paths.get(id);
    return path === undefined ? null : `${path.join("/")}.md`;
  };
  let archive = new ZipArchive();
  let done: Exported[] = [];
  let files = new Map<string, string | null>();

  const fetchFile = async (file: string, signal: AbortSignal): Promise<string | null> => {
    try {
      // A text can refer to a readable file of another workspace, which does not belong in this
      // archive.
      const answer = await request(`/files/${file}?workspace=${workspace.id}`, { signal });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (archive.bytes + bytes.length > mostBytes) return null;
      const name = archivedName(file, nameIn(answer.headers));
      archive.addBytes(name, bytes);
      return name;
    } catch (fault) {
      // A file that was deleted, is unreadable or belongs to another workspace remains a URL.
      if (fault instanceof StoreFault && fault.status === 404) return null;
      throw fault;
    }
  };

  return async (report, signal) => {
    const all = documents.length;
    report({ done: done.length, all });
    for (const { id, title } of documents.slice(done.length)) {
      const path = paths.get(id) ?? [id];
      try {
        const markdown = await (await request(`/d/${id}/download?as=md`, { signal })).text();
        for (const file of filesInMarkdown(markdown, origin))
          if (!files.has(file)) files.set(file, await fetchFile(file, signal));
        const pathOf = (file: string) => files.get(file) ?? null;
        const file = `${path.join("/")}.md`;
        archive.addText(
          file,
          withArchivedFiles(markdown, { origin, depth: path.length - 1, pathOf, documentPathOf }),
        );
        done.push({ id, title, file });
      } catch (fault) {
        // An unreadable document must not stop the archive.
        if (!(fault instanceof RefusedRequest)) throw fault;
        done.push({ id, title, file: null, why: fault.message });
      }
      report({ done: done.length, all });
    }
    const missing = [...files].filter(([, path]) => path === null).map(([file]) => file);
    const contents = { workspace: workspace.name, documents: done, filesNotIncluded: missing };
    archive.addText("contents.json", `${JSON.stringify(contents, null, 2)}\n`);
    onArchive(archive.finish());
    [archive, done, files] = [new ZipArchive(), [], new Map()];
  };
}
