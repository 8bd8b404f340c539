import { reportError } from "@/events/core/error-report";
import type { Clock } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxBox, OutboxRecord } from "@/events/device/outbox";
import { answerOfFault } from "./device/outbox-mirror";
import type { DeviceAnswer } from "./device/outbox-mirror";
import type { Elsewhere } from "./status/sync-events";

/**
 * How often a tab looks for leftovers of this person's dead tabs, in ms. `eager` applies if the tab
 * knows of some, or if the device cannot notify it.
 */
const looks = { calm: 15_000, eager: 1_000 };
/** How long the same edit may wait in another tab before that tab counts as stuck, in ms. */
const stuckAfter = 20_000;

type OutboxTakeoverInput = {
  userId: string;
  documentId: string;
  outbox: Pick<Outbox, "open">;
  clock: Clock;
  /** Called when the device could not be queried, and when it answers again. */
  answered(answer: DeviceAnswer): void;
  /** Takes over the leftovers of another tab. */
  take(records: OutboxRecord[]): void;
  /** Called after each look with the state of this document's edits in other tabs. */
  found(elsewhere: Elsewhere): void;
  /** Called when another tab shows this document and requests this tab's edits. */
  requested(): void;
};

/** This tab's box in the device's outbox. It takes over the boxes of dead tabs. */
export class OutboxTakeover {
  readonly box: Promise<OutboxBox>;
  /** False if the device provided no outbox. The box is then in memory and ends with the tab. */
  onDevice = true;
  private readonly input: OutboxTakeoverInput;
  private ended = false;
  private cancel = () => {};
  private looking: Promise<void> | null = null;
  private again = false;
  private failed = false;
  private elsewhere: Elsewhere = "none";
  private oldest: { key: string; since: number } | null = null;

  constructor(input: OutboxTakeoverInput) {
    this.input = input;
    this.box = this.open();
  }

  /**
   * Takes over existing leftovers, and later ones as they appear. Resolves after the first look, or
   * when the device does not answer in time.
   */
  begin(): Promise<void> {
    void this.box.then((box) =>
      box.onNews((news) => {
        if (news === "wanted") this.input.requested();
        else this.lookNow();
      }),
    );
    return this.look();
  }

  end(): void {
    this.ended = true;
    this.cancel();
  }

  private lookNow(): void {
    this.again = this.looking !== null;
    if (!this.again) void this.look();
  }

  private look(): Promise<void> {
    this.cancel();
    if (this.ended) return Promise.resolve();
    const looked = this.lookThrough().then(
      (eager) => {
        if (this.failed) this.input.answered("stored");
        this.failed = false;
        this.lookLater(eager);
      },
      (fault: unknown) => {
        this.fail(answerOfFault(fault));
        this.lookLater(false);
      },
    );
    this.looking = looked.finally(() => (this.looking = null));
    // A device that does not answer counts as unavailable. A late answer is still used.
    return withDeadline(this.input.clock, looked).catch(() => this.fail("unavailable"));
  }

  private fail(answer: DeviceAnswer): void {
    this.failed = true;
    this.input.answered(answer);
    this.input.found(this.elsewhere);
  }

  private lookLater(eager: boolean): void {
    if (this.ended) return;
    const soon = this.again ? 0 : eager ? looks.eager : looks.calm;
    this.again = false;
    this.cancel = this.input.clock.after(soon, () => void this.look());
  }

  /** Looks once. Returns whether to look again soon. */
  private async lookThrough(): Promise<boolean> {
    const { clock, found, take } = this.input;
    this.elsewhere = "none";
    const box = await this.box;
    // A device without space refuses to move records. It still keeps them, so the query below finds
    // them.
    const [hasTakenOver] = await Promise.allSettled([box.takeOverLeftovers()]);
    if (this.ended) return false;
    if (hasTakenOver.status === "fulfilled" && hasTakenOver.value.length > 0)
      take(hasTakenOver.value);
    const key = await box.elsewhere();
    if (this.ended) return false;
    if (key === null) this.oldest = null;
    else if (this.oldest?.key !== key) this.oldest = { key, since: clock.elapsed() };
    if (key !== null) box.want();
    this.elsewhere =
      this.oldest === null
        ? "none"
        : clock.elapsed() - this.oldest.since < stuckAfter
          ? "waiting"
          : "stuck";
    if (hasTakenOver.status === "rejected") throw hasTakenOver.reason;
    found(this.elsewhere);
    return key !== null || !box.newsWorks;
  }

  private async open(): Promise<OutboxBox> {
    const { outbox, answered } = this.input;
    try {
      return await outbox.open(this.input);
    } catch (error) {
      reportError(error, { during: "opening the outbox of the device", kind: "tolerated" });
      this.onDevice = false;
      // Deferred until the owner is constructed.
      queueMicrotask(() => answered("unavailable"));
      return memoryOutbox().open(this.input);
    }
  }
}
