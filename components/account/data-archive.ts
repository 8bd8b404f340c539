import { fileStem } from "@/events/formats/file-stem";
import {
  type IndexedDocument,
  type OwnData,
  ownDataAnswer,
  ownDataIndex,
  ownWordsAnswer,
  ownWordsPage,
  pictureFile,
} from "@/events/formats/own-data-file";
import type { Work } from "@/machines/transfer/transfer";
import { asked, askedJson, RefusedRequest } from "@/components/transfer/requests";
import { ZipArchive } from "@/components/transfer/zip-archive";

export const archiveName = "palimpsest-data.zip";

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Fetches all data of the person who is signed in, a document at a time, so that it is known how
 * far it is; tried again after a fault, it goes on where that was. Ends with the archive.
 */
export function dataArchive(onArchive: (archive: Blob) => void): Work {
  let own: OwnData | null = null;
  let archive = new ZipArchive();
  let done: IndexedDocument[] = [];
  return async (report, signal) => {
    own ??= ownDataAnswer.parse(await askedJson("/account/data", { signal }));
    const all = own.documents.length;
    report({ done: done.length, all });
    for (const document of own.documents.slice(done.length)) {
      const number = String(done.length + 1).padStart(String(all).length, "0");
      const file = `documents/${number} ${fileStem(document.title)}`;
      try {
        const answer = await askedJson(`/account/data?document=${document.id}`, { signal });
        const words = ownWordsAnswer.parse(answer);
        archive.addText(`${file}.json`, json({ document, ...words }));
        archive.addText(`${file}.html`, ownWordsPage(document, words));
        done.push({ document, file, why: null });
      } catch (fault) {
        // One that cannot be read must not keep the others back.
        if (!(fault instanceof RefusedRequest)) throw fault;
        done.push({ document, file: null, why: fault.message });
      }
      report({ done: done.length, all });
    }
    const { picture } = own.profile;
    if (picture !== null) {
      const bytes = await (await asked(picture, { signal })).arrayBuffer();
      archive.addBytes(pictureFile, new Uint8Array(bytes));
    }
    const { documents: _, ...rest } = own;
    archive.addText("profile.json", json(rest));
    archive.addText("index.html", ownDataIndex(own, done));
    onArchive(archive.finish());
    [own, archive, done] = [null, new ZipArchive(), []];
  };
}
