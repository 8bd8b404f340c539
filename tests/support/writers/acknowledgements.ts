import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { RawStore } from "@/events/log/store";

const lineSchema = z.object({ id: z.string(), version: z.number(), hash: z.string() });
type Acknowledgement = z.infer<typeof lineSchema>;

/**
 * A file of everything that a product has acknowledged, written to disk before the client is
 * notified. The file is the oracle of what must survive any fault.
 */
export class Acknowledgements {
  /** Appends in flight. */
  unanswered = 0;
  /** Appends that failed, and when. Their events may be in the log all the same. */
  readonly failed: { ids: string[]; at: number }[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), "acknowledged-"));
  private readonly file = join(this.folder, "events.ndjson");
  private readonly descriptor = openSync(this.file, "a");
  private sent: (() => void)[] = [];
  private heard: (() => void)[] = [];

  /** Wraps a store to record its acknowledgements in the file. */
  of(store: RawStore): RawStore {
    return {
      ...store,
      append: async (stream, expectedVersion, proposals) => {
        this.unanswered += 1;
        for (const tell of this.sent.splice(0)) tell();
        try {
          const answer = await store.append(stream, expectedVersion, proposals);
          if (answer.ok) this.write(answer.rulings);
          return answer;
        } catch (error) {
          this.failed.push({ ids: proposals.map(({ id }) => id), at: Date.now() });
          throw error;
        } finally {
          this.unanswered -= 1;
        }
      },
    };
  }

  /** Resolves when the next append is sent. */
  nextSent(): Promise<void> {
    return new Promise((resolve) => this.sent.push(resolve));
  }

  /** Resolves at the next acknowledgement. */
  next(): Promise<void> {
    return new Promise((resolve) => this.heard.push(resolve));
  }

  /** Reads the acknowledgements from the file. */
  read(): Acknowledgement[] {
    return readFileSync(this.file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => lineSchema.parse(JSON.parse(line)));
  }

  close(): void {
    closeSync(this.descriptor);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private write(rulings: readonly Acknowledgement[]): void {
    const lines = rulings.map(({ id, version, hash }) => JSON.stringify({ id, version, hash }));
    writeSync(this.descriptor, `${lines.join("\n")}\n`);
    fsyncSync(this.descriptor);
    for (const tell of this.heard.splice(0)) tell();
  }
}
