import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ImportError } from "@/events/formats/reading/import-error";
import { importFile } from "./import-jobs";
import type { ImportReply } from "./import-jobs";
import { readBeside } from "./page-import";

const request = {
  name: "a.md",
  file: new Blob(["x"]),
  origin: "https://a.example",
  now: 0,
  titles: new Map<string, string>(),
};

/** A worker that does nothing by itself. */
class IdleWorker {
  static made: IdleWorker[] = [];
  onmessage: (message: { data: ImportReply }) => void = () => undefined;
  isEnded = false;
  constructor() {
    IdleWorker.made.push(this);
  }
  postMessage(): void {
    // The worker reads an endless file.
  }
  terminate(): void {
    this.isEnded = true;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", IdleWorker);
  IdleWorker.made = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("[FORMAT-20] stops reading a document that takes too long, ends its worker and says why", async () => {
  const reading = readBeside(request, new AbortController().signal, () => undefined);
  const ended = reading.then(
    () => null,
    (error: unknown) => error,
  );
  const [worker] = IdleWorker.made;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(worker?.isEnded).toBe(false);
  // The time limit restarts with each document that is read.
  worker?.onmessage({ data: { done: 1, all: 2 } });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(worker?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(worker?.isEnded).toBe(true);
  const why = await ended;
  expect(why).toBeInstanceOf(ImportError);
  expect(String(why)).toContain("takes too long to read");
});

it("[FORMAT-20] stops reading when it is aborted", async () => {
  const control = new AbortController();
  const ended = readBeside(request, control.signal, () => undefined).catch(() => "called off");
  control.abort();
  expect(await ended).toBe("called off");
  expect(IdleWorker.made[0]?.isEnded).toBe(true);
});

it("[FORMAT-20] reports each document of a file when it is read and when it is made", async () => {
  const replies: ImportReply[] = [];
  await importFile(request, (reply) => replies.push(reply));
  expect(replies.slice(0, -1)).toEqual([
    { done: 1, all: 1 },
    { done: 1, all: 1 },
  ]);
  expect(replies.at(-1)).toMatchObject({ file: { documents: [{ title: "a" }] } });
});
