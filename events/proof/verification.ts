import { hexToBytes } from "@noble/hashes/utils.js";
import { isFields } from "@/events/core/envelope";
import type { Json, Ruled } from "@/events/core/envelope";
import { pageRows, pages } from "@/events/core/pages";
import { beginning, eventHash, payloadHash } from "@/events/log/hash";
import type { Head } from "@/events/log/hash";
import { redactableKeys } from "@/events/core/body-shapes";
import { standInPlace } from "@/events/crdt/payload/tombstone-payload";

/**
 * An event's fault: it is not the next event; it belongs to another stream; its content is missing
 * without a redaction; its remaining content differs from what its redaction left; its content
 * differs from the recorded content; or the event, or one before it, differs from the recorded
 * event.
 */
export type Fault =
  | "missing-event"
  | "other-stream"
  | "content-missing"
  | "redaction-differs"
  | "content-differs"
  | "chain-broken";

/** A head that was seen, and the time (milliseconds since 1970). */
export type Seen = { version: number; hash: string; at: number };

/**
 * A browser's memory of a stream: its newest head, and whether a hash is the one that it saw at a
 * version (null if it saw none).
 */
export type Remembered = {
  head: Seen | null;
  since: number | null;
  agrees(version: number, hash: string): boolean | null;
};

/** The memory of a browser that has seen nothing. */
export const nothingRemembered: Remembered = { head: null, since: null, agrees: () => null };

export type Report =
  | { verdict: "intact"; head: Head; redacted: number[]; seenBefore: number }
  /** The rows are inconsistent. `version` is the first faulty row. */
  | { verdict: "damaged"; version: number; fault: Fault }
  /**
   * The rows are consistent but differ from the seen ones. `version` is the first row that differs,
   * `agreed` the last that agrees.
   */
  | { verdict: "rewritten"; version: number; agreed: number; seen: Seen }
  /** The rows end before the newest seen row. `version` is the first missing row. */
  | { verdict: "shortened"; version: number; seen: Seen }
  /** The rows are as recorded, but give another text than was displayed. */
  | { verdict: "other-text"; head: Head };

type Options = {
  stream: string;
  remembered?: Remembered;
  /** Returns the id of the event that a row redacts, or null for any other row. */
  redactionOf: (row: Ruled) => string | null;
};

// Each digest runs on another thread, so many are in flight at once.
const atOnce = 256;

/**
 * Recomputes a stream's chain from its first event, page by page, and compares it with a browser's
 * memory. Performs no I/O.
 */
export class HistoryCheck {
  private readonly options: Options;
  private head: Head = beginning;
  private seenBefore = 0;
  private agreed = 0;
  private failure: Report | null = null;
  private readonly bare: Ruled[] = [];
  /** The redaction events by the id of the redacted event. */
  private readonly redactions = new Map<string, Ruled>();

  constructor(options: Options) {
    this.options = options;
  }

  /** The number of events checked so far. */
  get version(): number {
    return this.head.version;
  }

  /**
   * Checks the next rows. Returns false once a fault is found, after which no more rows are needed.
   */
  async add(rows: readonly Ruled[]): Promise<boolean> {
    for (let from = 0; from < rows.length && !this.failure; from += atOnce)
      await this.take(rows.slice(from, from + atOnce));
    return this.failure === null;
  }

  /** Returns the result. Call this after the last row. */
  finish(): Report {
    if (this.failure) return this.failure;
    for (const row of this.bare) {
      const fault = faultOfRest(row, this.redactions.get(row.id));
      if (fault) return { verdict: "damaged", version: row.version, fault };
    }
    const seen = this.options.remembered?.head;
    if (seen && seen.version > this.head.version)
      return { verdict: "shortened", version: this.head.version + 1, seen };
    return {
      verdict: "intact",
      head: this.head,
      redacted: this.bare.map(({ version }) => version),
      seenBefore: this.seenBefore,
    };
  }

  private async take(rows: readonly Ruled[]): Promise<void> {
    // A row is checked against the hash that the previous row states, so that no check waits for
    // another.
    const before = [this.head.hash, ...rows.map(({ hash }) => hash)];
    const faults = await Promise.all(
      rows.map((row, index) =>
        this.faultOf(row, before[index] ?? null, this.head.version + index + 1),
      ),
    );
    for (const [index, row] of rows.entries()) {
      const fault = faults[index];
      const version = this.head.version + 1;
      if (fault) {
        this.failure = { verdict: "damaged", version, fault };
        return;
      }
      if (!this.compare(row)) return;
      if (isBare(row)) this.bare.push(row);
      const named = this.options.redactionOf(row);
      if (named !== null && !this.redactions.has(named)) this.redactions.set(named, row);
      this.head = { version, hash: row.hash };
    }
  }

  private async faultOf(
    row: Ruled,
    previous: string | null,
    version: number,
  ): Promise<Fault | null> {
    if (row.streamId !== this.options.stream) return "other-stream";
    if (row.version !== version) return "missing-event";
    try {
      if (row.bodyText !== null && row.salt !== null) {
        if ((await payloadHash(hexToBytes(row.salt), row.bodyText, row.update)) !== row.payloadHash)
          return "content-differs";
      }
      return (await eventHash(previous, row)) === row.hash ? null : "chain-broken";
    } catch (error) {
      // A column cannot be parsed: an invalid time, invalid hex, or a number beyond 64 bits.
      if (error instanceof RangeError || error instanceof SyntaxError) return "chain-broken";
      throw error;
    }
  }

  /** Compares a valid row with the memory. Returns false if the memory holds another row. */
  private compare({ version, hash }: Ruled): boolean {
    const { remembered } = this.options;
    const agrees = remembered?.agrees(version, hash) ?? null;
    if (agrees === null) return true;
    if (agrees) {
      this.seenBefore += 1;
      this.agreed = version;
      return true;
    }
    const seen = remembered?.head ?? { version, hash, at: 0 };
    this.failure = { verdict: "rewritten", version, agreed: this.agreed, seen };
    return false;
  }
}

/** Whether a row has no content to check. */
function isBare(row: Ruled): boolean {
  return row.bodyText === null || row.salt === null;
}

const tombstoneHeader = 3;

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/**
 * Checks the rest of a redacted row. The row is proved by its redaction event, whose hash covers
 * the tombstone that replaced the content.
 */
function faultOfRest({ version, body, update }: Ruled, redaction: Ruled | undefined): Fault | null {
  if (!redaction || redaction.version <= version || isBare(redaction) || !redaction.update)
    return "content-missing";
  const brought = redaction.update;
  const stands =
    update === null ? brought.length === tombstoneHeader : isSame(update, standInPlace(brought));
  return stands && isWordless(body) ? null : "redaction-differs";
}

/** Whether the rest of a body contains no words. */
function isWordless(body: Json): boolean {
  if (!isFields(body)) return body === null;
  return redactableKeys.every((key) => {
    const left = body[key];
    return (
      left === undefined ||
      left === null ||
      left === "" ||
      (Array.isArray(left) && left.length === 0)
    );
  });
}

/** The method of a `Store` that a history check calls. */
type CheckedSource = { read(stream: string, after: number, max?: number): Promise<Ruled[]> };

type CheckRequest = Options & {
  source: CheckedSource;
  /** Folds the same rows, and reports whether the displayed text differs. */
  shown?: { add(row: Ruled): void; readonly differs: boolean | null };
  /** Resolves when the page has handled other events. Called after every row. */
  yieldToPage?: () => Promise<void> | undefined;
  signal: AbortSignal;
  /** Reports the number of checked events after every page. */
  onProgress: (version: number) => void;
};

async function fold(
  rows: readonly Ruled[],
  shown: { add(row: Ruled): void },
  signal: AbortSignal,
  yieldToPage: CheckRequest["yieldToPage"],
): Promise<void> {
  for (const row of rows) {
    shown.add(row);
    await yieldToPage?.();
    signal.throwIfAborted();
  }
}

/** Reads and checks a whole stream. Rejects if the check is aborted or the log cannot be read. */
export async function checkHistory({
  source,
  shown,
  yieldToPage,
  signal,
  onProgress,
  ...options
}: CheckRequest): Promise<Report> {
  const check = new HistoryCheck(options);
  const finish = (): Report => {
    const report = check.finish();
    return report.verdict === "intact" && shown?.differs
      ? { verdict: "other-text", head: report.head }
      : report;
  };
  const readOn = (last: Ruled | null) => source.read(options.stream, last?.version ?? 0, pageRows);
  for await (const rows of pages(readOn)) {
    signal.throwIfAborted();
    for (let from = 0; from < rows.length; from += atOnce) {
      const slice = rows.slice(from, from + atOnce);
      const sound = await check.add(slice);
      signal.throwIfAborted();
      if (!sound) return finish();
      if (shown) await fold(slice, shown, signal, yieldToPage);
      onProgress(check.version);
    }
  }
  return finish();
}
