import { reportError } from "@/events/core/error-report";
import { type Clock } from "@/events/core/clock";
import { devicePatience } from "@/events/device/deadline";
import { type OutboxBox, type OutboxRecord } from "@/events/device/outbox";

/** What the device does with what it is given: keeps it, has no room for it, or does not take it or does not answer. */
export type DeviceAnswer = "stored" | "full" | "unavailable";

type MirrorInput = {
  box: Promise<OutboxBox>;
  clock: Clock;
  /** Hears what the device did with what was written last. */
  stored(answer: DeviceAnswer): void;
};

/** How many records the device is to have, and what of that it has not been brought to do yet. */
export type MirrorAmounts = {
  records: number;
  toWrite: number;
  toRemove: number;
  toSetAside: number;
  writing: boolean;
  refused: boolean;
};

/** How long to wait before the device is given again what it did not take. */
const rest = 5_000;

/** Why a device did not take something. */
export function answerOfFault(fault: unknown): DeviceAnswer {
  return fault instanceof DOMException && fault.name === "QuotaExceededError"
    ? "full"
    : "unavailable";
}

/**
 * What the device keeps of one's own edits: written in the order of the changes, one writing at a
 * time, again after a while where it failed.
 */
export class OutboxMirror {
  private readonly input: MirrorInput;
  /** All that the device is to have. */
  private readonly records = new Map<string, OutboxRecord>();
  private readonly toPut = new Map<string, OutboxRecord>();
  private readonly toRemove = new Set<string>();
  private readonly toSetAside = new Set<string>();
  private writing: Promise<void> | null = null;
  private cancelRetry = () => {};
  /** The device did not take the last thing that it was to keep; that it lets go of others says nothing. */
  private refused = false;

  constructor(input: MirrorInput) {
    this.input = input;
    void input.box.then(
      (box) => box.onNews((news) => news === "evicted" && this.writeAnew()),
      () => undefined,
    );
  }

  /** Whether the device has everything that it is to have. */
  get complete(): boolean {
    return this.writing === null && this.toPut.size === 0;
  }

  get amounts(): MirrorAmounts {
    return {
      records: this.records.size,
      toWrite: this.toPut.size,
      toRemove: this.toRemove.size,
      toSetAside: this.toSetAside.size,
      writing: this.writing !== null,
      refused: this.refused,
    };
  }

  put(record: OutboxRecord): void {
    this.records.set(record.key, record);
    this.toPut.set(record.key, record);
    void this.write();
  }

  /** Takes note of what the device has already. */
  found(records: readonly OutboxRecord[]): void {
    for (const record of records) this.records.set(record.key, record);
  }

  remove(key: string): void {
    this.records.delete(key);
    this.toPut.delete(key);
    this.toRemove.add(key);
    void this.write();
  }

  /** Has the device keep a record where no tab takes it to be sent any more. */
  setAside(key: string): void {
    this.records.delete(key);
    this.toSetAside.add(key);
    void this.write();
  }

  /** Resolves when the device has what is known now, has refused it, or does not answer in time. */
  write(): Promise<void> {
    if (this.writing !== null) return this.writing;
    this.cancelRetry();
    return (this.writing = new Promise((goOn) => {
      void this.writeAll(goOn).finally(() => {
        this.writing = null;
        goOn();
      });
    }));
  }

  /**
   * `late`: the device does not answer. Nothing else is given to it before it does, so that nothing
   * overtakes what it was given.
   */
  private async writeAll(late: () => void): Promise<void> {
    while (this.toPut.size > 0 || this.toRemove.size > 0 || this.toSetAside.size > 0) {
      let [put, remove, setAside]: [OutboxRecord[], string[], string[]] = [[], [], []];
      const cancel = this.input.clock.after(devicePatience, () => {
        this.input.stored("unavailable");
        late();
      });
      try {
        const box = await this.input.box;
        // Not before whoever changes something is done: what goes, and what takes its place, are
        // one step for the device.
        [put, remove, setAside] = [
          [...this.toPut.values()],
          [...this.toRemove],
          [...this.toSetAside],
        ];
        for (const waiting of [this.toPut, this.toRemove, this.toSetAside]) waiting.clear();
        await box.write({ put, remove, setAside });
        if (put.length > 0) this.refused = false;
        if (!this.refused) this.input.stored("stored");
      } catch (fault) {
        reportError(fault, { during: "writing unsent edits to the device", kind: "tolerated" });
        this.refused ||= put.length > 0;
        for (const record of put)
          if (this.records.has(record.key) && !this.toPut.has(record.key))
            this.toPut.set(record.key, record);
        for (const key of remove) this.toRemove.add(key);
        for (const key of setAside) this.toSetAside.add(key);
        this.input.stored(answerOfFault(fault));
        this.cancelRetry = this.input.clock.after(rest, () => void this.write());
        return;
      } finally {
        cancel();
      }
    }
  }

  private writeAnew(): void {
    for (const [key, record] of this.records) this.toPut.set(key, record);
    void this.write();
  }
}
