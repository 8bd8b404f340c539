import type { Clock, Random } from "@/events/core/clock";

/** Generates ascending record keys for one open document on the device. */
export class RecordKeys {
  private readonly opened: string;
  private sequence = 0;

  constructor(clock: Pick<Clock, "now">, random: Pick<Random, "uuid">) {
    // Orders the records of several tabs by opening time. The random part separates the tabs.
    this.opened = `${String(clock.now()).padStart(15, "0")}.${random.uuid().slice(0, 8)}`;
  }

  next(): string {
    this.sequence += 1;
    return `${this.opened}.${String(this.sequence).padStart(9, "0")}`;
  }
}
