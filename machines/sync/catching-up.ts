import { type Ruled } from "@/events/core/envelope";
import { type LivePage } from "./live-page";
import { type LogReader, type Reading } from "./log-reader";
import { type LogSender } from "./log-sender";
import { type OutgoingEdits } from "./outbox";
import { type LogRollbacks } from "./log-rollbacks";

type Input = {
  reader: LogReader;
  outgoing: OutgoingEdits;
  lost: LogRollbacks;
  page: LivePage;
  sender: Pick<LogSender, "startOver">;
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
    const { outgoing, page, counted } = this.input;
    const own = new Set<number>();
    for (const row of rows) if (outgoing.acknowledge(row.id)) own.add(row.version);
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
    const { page, sender, edited } = this.input;
    this.input.lost.take(rows, lost);
    sender.startOver();
    page.replace({ besides: lost });
    this.recover();
    edited();
    this.input.rows(rows.slice(-1));
  }

  /** What a orphaned edit depends on may still come, when its author does. */
  private recover(): void {
    const { outgoing, reader, page, edited } = this.input;
    const updates = outgoing.recover((client) => reader.confirmed.clockOf(client));
    if (updates.length === 0) return;
    page.applyRemote(updates);
    edited();
  }
}
