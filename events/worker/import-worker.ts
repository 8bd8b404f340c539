import type { ImportReply, ImportRequest } from "./import-jobs";

// The types of the page's `self` stand for the worker's here: what it is told comes from `readBeside` alone.
const tell = (reply: ImportReply) => self.postMessage(reply);

self.onmessage = ({ data }: MessageEvent<ImportRequest>) => {
  import("./import-jobs").then(
    ({ importFile }) => importFile(data, tell),
    (error: unknown) => tell({ fault: String(error) }),
  );
};
