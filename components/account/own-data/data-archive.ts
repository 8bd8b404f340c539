import { fileStem } from "@/events/formats/writing/file-stem";
import {
  ownDataAnswer,
  ownDataIndex,
  ownWordsAnswer,
  ownWordsPage,
  pictureFile,
} from "@/events/formats/writing/own-data-file";
import type { IndexedDocument, OwnData } from "@/events/formats/writing/own-data-file";
import { StoreFault } from "@/events/log/store";
import type { Work } from "@/machines/transfer/transfer";
import { request, requestJson, RefusedRequest } from "@/components/transfer/requests";
import { ZipArchive } from "@/components/transfer/zip-archive";

export const archiveName = "palimpsest-data.zip";

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Fetches the bytes of a picture. Returns null on 404: the picture was replaced or removed. */
async function pictureBytes(address: string, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await (await request(address, { signal })).arrayBuffer());
  } catch (fault) {
    if (fault instanceof StoreFault && fault.status === 404) return null;
    throw fault;
  }
}

/**
 * Returns the work that fetches all data of the signed-in person, one document at a time, and
 * passes the archive to `onArchive`. A retry continues where the fault interrupted the work.
 */
export function dataArchive(onArchive: (archive: Blob) => void): Work {
  let own: OwnData | null = null;
  let archive = new ZipArchive();
  let done: IndexedDocument[] = [];
  return async (report, signal) => {
    own ??= ownDataAnswer.parse(await requestJson("/account/data", { signal }));
    const all = own.documents.length;
    report({ done: done.length, all });
    for (const document of own.documents.slice(done.length)) {
      const number = String(done.length + 1).padStart(String(all).length, "0");
      const file = `documents/${number} ${fileStem(document.title)}`;
      try {
        const answer = await requestJson(`/account/data?document=${document.id}`, { signal });
        const words = ownWordsAnswer.parse(answer);
        archive.addText(`${file}.json`, json({ document, ...words }));
        archive.addText(`${file}.html`, ownWordsPage(document, words));
        done.push({ document, file, why: null });
      } catch (fault) {
        // An unreadable document must not stop the download of the others.
        if (!(fault instanceof RefusedRequest)) throw fault;
        done.push({ document, file: null, why: fault.message });
      }
      report({ done: done.length, all });
    }
    const { picture } = own.profile;
    const bytes = picture === null ? null : await pictureBytes(picture, signal);
    if (bytes) archive.addBytes(pictureFile, bytes);
    // The index must not link to a missing file.
    else own = { ...own, profile: { ...own.profile, picture: null } };
    const { documents: _, ...rest } = own;
    archive.addText("profile.json", json(rest));
    archive.addText("index.html", ownDataIndex(own, done));
    onArchive(archive.finish());
    [own, archive, done] = [null, new ZipArchive(), []];
  };
}
