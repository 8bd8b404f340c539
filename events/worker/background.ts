import { reportError } from "@/events/core/error-report";
import { type Attribution } from "@/events/analysis/lineage/lineage";
import { type Answer, type Question, type QuestionKind } from "@/events/analysis/inquiry";
import { type Deriver } from "./deriver";
import { type TimelineData, type TimelineRow } from "@/events/history/timeline/timeline";
import { type Message, type Reply, type Told } from "./jobs";

/** What does the work beside the page, as a browser's Worker does. */
export type Hand = {
  postMessage(message: Message, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
};

/** What does the work beside the page is not to be had, or has gone; whatever was asked of it can be done in the page. */
export class BackgroundLost extends Error {
  override name = "BackgroundLost";
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** An opened history of which questions are answered beside the page. */
type Inquirer = {
  ask<Kind extends QuestionKind>(question: Question<Kind>): Promise<Answer<Kind>>;
  close(): void;
};

function told({
  id,
  version,
  type,
  actorId,
  clientIds,
  clientTime,
  recordedAt,
  body,
  schema,
  update,
  toPhase,
  subject,
}: TimelineRow): TimelineRow {
  return {
    id,
    version,
    type,
    actorId,
    clientIds,
    clientTime,
    recordedAt,
    body,
    schema,
    update,
    toPhase,
    subject,
  };
}

/** So often a hand may be lost before the page does everything itself. */
const mostLosses = 3;

/**
 * Work that is done beside the page, by one hand for all of it, which is taken on when it is first needed. Where the hand is
 * lost so are the jobs that it had; those that come after get another.
 */
export class Background {
  private readonly make: () => Hand;
  private hand: Hand | null = null;
  private losses = 0;
  /** The last job that was lost with its hand. */
  private lostJob = 0;
  private readonly lostListeners = new Set<() => void>();
  private messages = 0;
  private jobs = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(make: () => Hand) {
    this.make = make;
  }

  /** Hears of it when a hand is lost; answers the end of it. */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /** Derives a history here. */
  deriver(): Deriver {
    const job = this.nextJob();
    // Every answer is of the kind that `Jobs` gives to that call.
    return {
      segment: (bytes) => {
        const own = new Uint8Array(bytes);
        return this.tell(job, { call: "segment", bytes: own }, [own.buffer]) as Promise<
          number | null
        >;
      },
      part: () => this.tell(job, { call: "part" }) as Promise<TimelineData>,
      beginAnew: () => this.tell(job, { call: "beginAnew" }) as Promise<void>,
      rows: (rows) => this.tell(job, { call: "rows", rows: rows.map(told) }) as Promise<boolean>,
      finish: () => this.tell(job, { call: "finish" }) as Promise<TimelineData>,
      state: () => this.tell(job, { call: "state" }) as Promise<Uint8Array>,
      close: () => this.close(job),
    };
  }

  /** Opens a copy of a history here, for questions that take long. */
  inquirer(data: TimelineData, attributions: readonly Attribution[]): Inquirer {
    const job = this.nextJob();
    // What goes wrong here is met again by the first question.
    this.tell(job, { call: "open", data, attributions }).catch(() => undefined);
    return {
      ask: <Kind extends QuestionKind>(question: Question<Kind>) =>
        this.tell(job, { call: "ask", question: question as Question }) as Promise<Answer<Kind>>,
      close: () => this.close(job),
    };
  }

  private nextJob(): number {
    this.jobs += 1;
    return this.jobs;
  }

  private close(job: number): void {
    if (this.hand && job > this.lostJob) this.tell(job, { call: "close" }).catch(() => undefined);
  }

  private tell(job: number, telling: Told, transfer: Transferable[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const hand = job > this.lostJob ? this.handed() : null;
      if (!hand) return reject(new BackgroundLost("Nothing works beside this page."));
      this.messages += 1;
      this.waiting.set(this.messages, { resolve, reject });
      hand.postMessage({ id: this.messages, job, told: telling }, transfer);
    });
  }

  private handed(): Hand | null {
    if (this.hand || this.losses >= mostLosses) return this.hand;
    try {
      this.hand = this.make();
    } catch (error) {
      reportError(error, { during: "starting the worker of a page", kind: "tolerated" });
      this.lose();
      return null;
    }
    const hand = this.hand;
    hand.onmessage = ({ data }) => this.settle(data);
    // One that was let go may still have something to say.
    hand.onerror = ({ error, message }: ErrorEvent) => {
      const fault: unknown = error ?? new Error(message);
      reportError(fault, { during: "the worker of a page", kind: "uncaught" });
      if (hand === this.hand) this.lose();
    };
    return hand;
  }

  private settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ("fault" in reply) waiting?.reject(new Error(reply.fault));
    else waiting?.resolve(reply.value);
  }

  private lose(): void {
    this.losses += 1;
    this.lostJob = this.jobs;
    this.hand?.terminate();
    this.hand = null;
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of left)
      reject(new BackgroundLost("What worked beside this page has gone."));
    for (const listener of this.lostListeners) listener();
  }
}
