import type { Clock, Random } from "@/events/core/clock";
import type { Ruled } from "@/events/core/envelope";
import { retried } from "@/events/core/retried";
import { openStream } from "@/events/log/live-stream";
import type { LiveStream } from "@/events/log/live-stream";
import { sentence } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { StreamFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import type { CommentRow, ThreadRow } from "@/events/read-models/thread-rows";
import { aggregates, law } from "../catalog";
import type { LiveDocument } from "../sync/live-document";
import { commentsFold } from "./comments-fold";
import { documentComments } from "./document-comments";
import type { DocumentComments } from "./document-comments";

/** A document's threads and comments, as read from the read models. */
export type CommentRows = { threads: readonly ThreadRow[]; comments: readonly CommentRow[] };

type Input = {
  documentId: string;
  /** The document's phase when the page was opened. */
  phase: string;
  userId: string;
  live: Pick<LiveDocument, "version" | "onRows" | "onReplaced">;
  clock: Clock;
  random: Random;
  onPageEnd?: (listener: () => void) => () => void;
  /** Called with the reason when the database refuses an action. */
  onRefused: (sentence: string) => void;
  onFault: (fault: unknown) => void;
};

type Backend = { store: Store; read: () => Promise<CommentRows> };

const retryAfter = 3_000;

/**
 * The threads of an open document, with the optimistic events of this tab. The store reads the read
 * models once, and then folds the rows that the document receives.
 */
export class ThreadsStore {
  /** The actions on threads. They throw before the threads are read. */
  readonly actions: DocumentComments;
  private readonly input: Input;
  private readonly listeners = new Set<() => void>();
  private stream: LiveStream | null = null;
  private stopReading = () => {};
  /** The version of the read models that the fold starts from. */
  private readAt = 0;
  /** The rows that arrive during a read, or null between reads. */
  private waiting: Ruled[] | null = null;

  constructor(input: Input) {
    this.input = input;
    this.actions = documentComments({
      random: input.random,
      propose: (acts) => {
        if (this.stream === null) throw new Error("The threads are not open");
        return this.stream.actTogether(acts);
      },
    });
  }

  /** Returns the fold of the threads, or null before they are read. */
  readonly fold = (): StreamFold | null => this.stream?.view().fold ?? null;

  /** Calls `listener` at every change. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Reads the threads and keeps them live. Returns the function that disconnects. */
  connect(backend: Backend): () => void {
    const { live } = this.input;
    const stops = [
      live.onRows((rows) => this.heard(rows, backend)),
      live.onReplaced(() => {
        // The log was rolled back to an older backup, which has fewer comments.
        if (live.version < this.readAt) this.read(backend);
      }),
    ];
    this.read(backend);
    return () => {
      this.stopReading();
      for (const stop of stops) stop();
      this.replaceStream(null);
      this.waiting = null;
    };
  }

  private read(backend: Backend): void {
    const { clock, random, live, onFault } = this.input;
    this.stopReading();
    this.stopReading = retried({
      clock,
      random,
      work: async () => {
        const { version } = live;
        this.readAt = version;
        this.waiting = [];
        const rows = await backend.read();
        // Rows in transit are neither in the read models nor in `waiting` yet.
        if (this.stream !== null && this.stream.view().health !== "synced") return null;
        return { ...rows, version };
      },
      done: (read) => this.open(read, backend),
      failed: onFault,
      delays: { first: retryAfter, longest: retryAfter },
    });
  }

  private open(read: CommentRows & { version: number }, backend: Backend): void {
    const { documentId, phase, userId, clock, random, onPageEnd, onRefused, onFault } = this.input;
    const subject = { kind: "document", id: documentId };
    this.replaceStream(
      openStream({
        stream: subject,
        actorId: userId,
        initial: commentsFold({ documentId, phase, ...read }),
        store: backend.store,
        rules: streamRules(aggregates, law, subject),
        clock,
        random,
        onDropped: ({ proposal, refusal }) => {
          // The comment in the same request is refused too, and its refusal shows the message.
          if (proposal.type !== "thread.opened") onRefused(sentence(refusal));
        },
        onFault,
        ...(onPageEnd && { onPageEnd }),
      }),
    );
    const rows = this.waiting ?? [];
    this.waiting = null;
    this.heard(rows, backend);
  }

  private heard(rows: readonly Ruled[], backend: Backend): void {
    this.stream?.ruled(rows);
    // Only the read models know which text was redacted. The fold here still has the text.
    if (this.waiting !== null) this.waiting.push(...rows);
    else if (rows.some(({ type }) => type === "document.redacted")) this.read(backend);
  }

  private replaceStream(stream: LiveStream | null): void {
    this.stream?.close();
    this.stream = stream;
    stream?.subscribe(() => this.publish());
    this.publish();
  }

  private publish(): void {
    for (const listener of this.listeners) listener();
  }
}
