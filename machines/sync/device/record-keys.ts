import { type Clock, type Random } from "@/events/core/clock";

/** Names for the records of one opened document on the device, in the order in which they are made. */
export class RecordKeys {
  private readonly opened: string;
  private sequence = 0;

  constructor(clock: Pick<Clock, "now">, random: Pick<Random, "uuid">) {
    // Sorts what several tabs leave behind by when they were opened, and keeps it apart.
    this.opened = `${String(clock.now()).padStart(15, "0")}.${random.uuid().slice(0, 8)}`;
  }

  next(): string {
    this.sequence += 1;
    return `${this.opened}.${String(this.sequence).padStart(9, "0")}`;
  }
}
