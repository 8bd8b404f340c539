import { type Ruled } from "@/events/core/envelope";
import { type LivePage } from "./live-page";
import { type LogReader, type Reading } from "./log-reader";
import { type LogWriter } from "./log-writer";
import { type PendingEdits } from "./pending-edits";
import { type LogRollbacks } from "./log-rollbacks";

type Input = {
  reader: Pick<LogReader, "read">;
  pending: PendingEdits;
  lost: LogRollbacks;
  page: LivePage;
  writer: Pick<LogWriter, "startOver">;
  /** Hears of the rows that were read. */
  rows(rows: Ruled[]): void;
  /** Hears that what is unsaved may have changed, and that there is something to send. */
  counted(): void;
  edited(): void;
};

/** Reads on in the log and brings what it holds onto the page. */
export class CatchingUp {
  private readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  async run(): Promise<void> {
    const reading = await this.input.reader.read();
    this.input.page.caughtUp();
    if (reading.lost) this.goBack(reading.rows, reading.lost);
    else this.take(reading);
  }

  private take({ rows, accepted, refolded }: Reading): void {
    const { pending, page, counted } = this.input;
    const own = new Set<number>();
    for (const row of rows) if (pending.acknowledge(row.id)) own.add(row.version);
    const foreign = accepted.filter(({ version }) => !own.has(version));
    const applied = page.showLogged(foreign.map(({ update }) => update));
    if (rows.length > 0) counted();
    if (refolded || !applied) page.replace();
    this.recover();
    page.sayDeferred();
    page.heal();
    if (rows.length > 0) this.input.rows(rows);
  }

  /** An older backup was put in the place of the log: shows what it holds, and sends again what this tab wrote and it has lost. */
  private goBack(rows: Ruled[], lost: Uint8Array): void {
    const { page, writer, edited } = this.input;
    this.input.lost.take(rows, lost);
    writer.startOver();
    page.replace({ besides: lost });
    this.recover();
    edited();
    this.input.rows(rows.slice(-1));
  }

  /** What an orphaned edit depends on may still come, when its author does. */
  private recover(): void {
    const { pending, page, edited } = this.input;
    const updates = pending.recover();
    if (updates.length === 0) return;
    page.applyRemote(updates);
    edited();
  }
}
