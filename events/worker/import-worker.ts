import type { ImportReply, ImportRequest } from "./import-jobs";

// The page's type of `self` is used for the worker's: only `readBeside` sends messages here.
const tell = (reply: ImportReply) => self.postMessage(reply);

self.onmessage = ({ data }: MessageEvent<ImportRequest>) => {
  import("./import-jobs").then(
    ({ importFile }) => importFile(data, tell),
    (error: unknown) => tell({ fault: String(error) }),
  );
};
