import { reportError } from "@/events/core/error-report";
import { type Clock } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import {
  memoryOutbox,
  type Outbox,
  type OutboxBox,
  type OutboxRecord,
} from "@/events/device/outbox";
import { answerOfFault, type DeviceAnswer } from "./device/outbox-mirror";
import { type Elsewhere } from "./status/sync-events";

/**
 * How often a tab looks whether another one of this person has died and left something; sooner
 * where it knows that there is something, or nobody can tell it.
 */
const looks = { calm: 15_000, eager: 1_000 };
/** For how long the same edit may wait in another tab until that tab is in trouble. */
const stuckAfter = 20_000;

type OutboxTakeoverInput = {
  userId: string;
  documentId: string;
  outbox: Pick<Outbox, "open">;
  clock: Clock;
  /** Hears that the device could not be asked, and when it can be again. */
  answered(answer: DeviceAnswer): void;
  /** Takes over what another tab has left. */
  take(records: OutboxRecord[]): void;
  /** Hears whether something waits for this document in another tab, as often as it is looked for. */
  found(elsewhere: Elsewhere): void;
  /** Another tab shows this document and asks for what this one keeps. */
  requested(): void;
};

/** This tab's part of the device's outbox, which grows by what tabs that have died left in theirs. */
export class OutboxTakeover {
  readonly box: Promise<OutboxBox>;
  /** False where the device gave no outbox, so that what is written to the box lasts no longer than the tab. */
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
   * Adopts what is there, and from now on what comes; resolves after the first time, or when the
   * device does not answer.
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
    // Whoever does not answer keeps nothing; should it answer yet, what it says then counts.
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

  /** Answers whether to look again soon. */
  private async lookThrough(): Promise<boolean> {
    const { clock, found, take } = this.input;
    this.elsewhere = "none";
    const box = await this.box;
    // A device without room refuses to move what it goes on keeping: that is there all the same.
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
      // Not before its owner is there to be told.
      queueMicrotask(() => answered("unavailable"));
      return memoryOutbox().open(this.input);
    }
  }
}
