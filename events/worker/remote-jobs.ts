import { reportError } from "@/events/core/error-report";
/** What does the work beside the page, as a browser's Worker does. */
export type Hand<T> = {
  postMessage(message: Message<T>, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply | Lost>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
};

/** What goes to the background: `job` is the document that it is about. */
export type Message<T> = { id: number; job: number; told: T | Closing };
/** What comes back for a message. */
export type Reply = { id: number; value: unknown } | { id: number; fault: string };
/** Comes back for no message, and says that no further one will be answered. */
export type Lost = { lost: string };
/** Ends a job. */
export type Closing = { call: "close" };

/** What does the work beside the page is not to be had, or has gone; whatever was asked of it can be done in the page. */
export class BackgroundLost extends Error {
  override name = "BackgroundLost";
}

/** What is told about one document; everything is answered once, in order. */
export type Job<T> = {
  tell(told: T, transfer?: Transferable[]): Promise<unknown>;
  /** Lets go of everything; nothing is told afterwards. */
  close(): void;
};

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** So often a hand may be lost before the page does everything itself. */
const mostLosses = 3;

/**
 * Work that is done beside the page, by one hand for all of it, which is taken on when it is first needed. Where the hand is
 * lost so are the jobs that it had; those that come after get another.
 */
export class RemoteJobs<T> {
  private readonly make: () => Hand<T>;
  private hand: Hand<T> | null = null;
  private losses = 0;
  /** The last job that was lost with its hand. */
  private lostJob = 0;
  private readonly lostListeners = new Set<() => void>();
  private messages = 0;
  private jobs = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(make: () => Hand<T>) {
    this.make = make;
  }

  /** Hears of it when a hand is lost; answers the end of it. */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /** A job about one document. */
  job(): Job<T> {
    this.jobs += 1;
    const job = this.jobs;
    return {
      tell: (told, transfer) => this.tell(job, told, transfer),
      close: () => {
        if (this.hand && job > this.lostJob)
          this.tell(job, { call: "close" }).catch(() => undefined);
      },
    };
  }

  private tell(job: number, telling: T | Closing, transfer: Transferable[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const hand = job > this.lostJob ? this.handed() : null;
      if (!hand) return reject(new BackgroundLost("Nothing works beside this page."));
      this.messages += 1;
      this.waiting.set(this.messages, { resolve, reject });
      hand.postMessage({ id: this.messages, job, told: telling }, transfer);
    });
  }

  private handed(): Hand<T> | null {
    if (this.hand || this.losses >= mostLosses) return this.hand;
    try {
      this.hand = this.make();
    } catch (error) {
      reportError(error, { during: "starting the worker of a page", kind: "tolerated" });
      this.lose();
      return null;
    }
    const hand = this.hand;
    // One that was let go may still have something to say.
    const gone = (fault: unknown, kind: "uncaught" | "tolerated") => {
      reportError(fault, { during: "the worker of a page", kind });
      if (hand === this.hand) this.lose();
    };
    hand.onmessage = ({ data }) => {
      if ("lost" in data) gone(new Error(data.lost), "tolerated");
      else this.settle(data);
    };
    hand.onerror = ({ error, message }: ErrorEvent) =>
      gone(error ?? new Error(message), "uncaught");
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
