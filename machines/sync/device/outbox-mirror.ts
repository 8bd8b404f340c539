import { reportError } from "@/events/core/error-report";
import type { Clock } from "@/events/core/clock";
import { devicePatience } from "@/events/device/deadline";
import type { OutboxBox, OutboxRecord } from "@/events/device/outbox";

/** The device's answer to a write. `unavailable` means that the write failed or timed out. */
export type DeviceAnswer = "stored" | "full" | "unavailable";

type MirrorInput = {
  box: Promise<OutboxBox>;
  clock: Clock;
  /** Called with the device's answer to the last write. */
  stored(answer: DeviceAnswer): void;
};

/** The number of records intended for the device, and of operations that are not completed. */
export type MirrorAmounts = {
  records: number;
  toWrite: number;
  toRemove: number;
  toSetAside: number;
  writing: boolean;
  refused: boolean;
};

/** The delay before a failed write is retried, in ms. */
const rest = 5_000;

/** Classifies why a write failed. */
export function answerOfFault(fault: unknown): DeviceAnswer {
  return fault instanceof DOMException && fault.name === "QuotaExceededError"
    ? "full"
    : "unavailable";
}

/**
 * Mirrors pending edits to the device, one write at a time and in order. A failed write is retried
 * after a delay.
 */
export class OutboxMirror {
  private readonly input: MirrorInput;
  /** Every record that the device should hold. */
  private readonly records = new Map<string, OutboxRecord>();
  private readonly toPut = new Map<string, OutboxRecord>();
  private readonly toRemove = new Set<string>();
  private readonly toSetAside = new Set<string>();
  private writing: Promise<void> | null = null;
  private cancelRetry = () => {};
  /** Whether the device refused the last `put`. A successful removal does not clear this. */
  private refused = false;

  constructor(input: MirrorInput) {
    this.input = input;
    void input.box.then(
      (box) => box.onNews((news) => news === "evicted" && this.writeAnew()),
      () => undefined,
    );
  }

  /** Whether the device has stored every record. */
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

  /** Registers records that the device already holds. */
  found(records: readonly OutboxRecord[]): void {
    for (const record of records) this.records.set(record.key, record);
  }

  remove(key: string): void {
    this.records.delete(key);
    this.toPut.delete(key);
    this.toRemove.add(key);
    void this.write();
  }

  /** Moves a record to where no tab takes it over and sends it. */
  setAside(key: string): void {
    this.records.delete(key);
    this.toSetAside.add(key);
    void this.write();
  }

  /** Resolves when the device has stored, refused or timed out on every record known now. */
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
   * Calls `late` when the device does not answer in time. The next write waits for the answer, so
   * that no write overtakes another.
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
        // Collects only after the caller's synchronous changes, so that a removal and its
        // replacement are one write.
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
