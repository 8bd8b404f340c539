import type { Ruled } from "@/events/core/envelope";
import { redactionOf } from "@/events/proof/redaction-event";
import { HistoryCheck } from "@/events/proof/verification";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import type { RowSource, TableRow } from "@/supabase/local/backup/table-rows";
import { hexDigits, logRows } from "./log-rows";

/** The numbers of verified streams, events and redacted events. */
export type CheckedLog = { streams: number; events: number; redacted: number };

/**
 * Verifies the hash chain of every stream from its first event to the head in the stream's row,
 * with only part of the log in memory. Throws BackupFault with the first event that differs from
 * what was recorded.
 */
export async function checkLog(rows: RowSource): Promise<CheckedLog> {
  const counts = { streams: 0, events: 0, redacted: 0 };
  const heads = rows("private", "streams")[Symbol.asyncIterator]();
  const finish = async (check: StreamCheck) => {
    const { version, redacted } = await check.finish(await nextBegun(heads));
    counts.streams += 1;
    counts.events += version;
    counts.redacted += redacted;
  };
  let check: StreamCheck | null = null;
  for await (const row of logRows(rows)) {
    if (check && check.stream !== row.streamId) {
      await finish(check);
      check = null;
    }
    check ??= new StreamCheck(row.streamId);
    await check.add(row);
  }
  if (check) await finish(check);
  const left = await nextBegun(heads);
  if (left) throw new BackupFault(`The log is incomplete: stream ${left.id} has no events.`);
  return counts;
}

/** Returns the row of the next stream with events, or null after the last stream. */
async function nextBegun(streams: AsyncIterator<TableRow>): Promise<TableRow | null> {
  for (;;) {
    const next = await streams.next();
    if (next.done) return null;
    if (next.value.version !== "0") return next.value;
  }
}

// The most rows that are checked together, and the limit of their updates in bytes.
const mostRows = 256;
const mostBytes = 8 * 2 ** 20;

class StreamCheck {
  readonly stream: string;
  private readonly history: HistoryCheck;
  private waiting: Ruled[] = [];
  private bytes = 0;

  constructor(stream: string) {
    this.stream = stream;
    this.history = new HistoryCheck({ stream, redactionOf });
  }

  async add(row: Ruled): Promise<void> {
    this.waiting.push(row);
    this.bytes += row.update?.length ?? 0;
    if (this.waiting.length >= mostRows || this.bytes >= mostBytes) await this.flush();
  }

  async finish(head: TableRow | null): Promise<{ version: number; redacted: number }> {
    await this.flush();
    const report = this.history.finish();
    if (report.verdict !== "intact") {
      const version = report.verdict === "other-text" ? report.head.version : report.version;
      throw new BackupFault(
        `The log was changed: event ${version} of stream ${this.stream} differs from its hash.`,
      );
    }
    const { version, hash } = report.head;
    if (head?.id !== this.stream || head.version !== `${version}` || hexDigits(head.hash) !== hash)
      throw new BackupFault(
        `The log is incomplete: stream ${this.stream} does not end at its head.`,
      );
    return { version, redacted: report.redacted.length };
  }

  private async flush(): Promise<void> {
    await this.history.add(this.waiting);
    this.waiting = [];
    this.bytes = 0;
  }
}
