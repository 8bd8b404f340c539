import type { Anchor } from "@/events/analysis/anchors/anchor";
import type { Clock, Random } from "@/events/core/clock";
import type { Act, Outcome } from "@/events/log/live-stream";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import type { StreamFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { aggregates, law } from "../catalog";
import { commentsFold } from "./comments-fold";
import { documentComments } from "./document-comments";
import type { DocumentComments } from "./document-comments";
import type { CommentRows } from "./threads-store";

type Input = {
  documentId: string;
  userId: string;
  clock: Pick<Clock, "now">;
  random: Pick<Random, "uuid">;
  /** Called with the reason when the database refuses an action. */
  onRefused: (sentence: string) => void;
  /** Called when no ruling arrived. The database may still have recorded the action. */
  onUnsure: (fault: StoreFault) => void;
};

/** A thread on the text of `anchor`, opened with its first comment. */
type Opening = { opened: OptimisticEvent; added: OptimisticEvent; anchor: Anchor; text: string };

type Server = {
  append: (events: readonly OptimisticEvent[]) => Promise<Outcome>;
  open: (opening: Opening) => Promise<Outcome>;
  /** Called when an action was recorded, so that the page reads the list again. */
  onRecorded: () => void;
};

/** The server's list of comments, read at `version`. */
type List = CommentRows & { phase: string; version: number };

/** An optimistic event of this page, and the version of its ruling, or null before the ruling. */
type OptimisticComment = { optimistic: OptimisticEvent; version: number | null };

/**
 * The comments that this page adds to a document whose log its reader may not read. A recorded
 * event stays on top of the server's list until the list includes the event.
 */
export class RestrictedThreadsStore {
  readonly actions: DocumentComments;
  private readonly input: Input;
  private readonly listeners = new Set<() => void>();
  private own: readonly OptimisticComment[] = [];
  private server: Server | null = null;

  constructor(input: Input) {
    this.input = input;
    this.actions = documentComments({
      random: input.random,
      propose: (acts) => this.record(acts, (server, events) => server.append(events)),
      open: (acts, anchor, text) =>
        this.record(acts, (server, [opened, added]) => {
          if (!opened || !added) throw new Error("Opening a thread takes two events");
          return server.open({ opened, added, anchor, text });
        }),
    });
  }

  /** The optimistic events. Every change creates a new list. */
  readonly state = (): readonly OptimisticComment[] => this.own;

  /** Calls `listener` at every change. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Sends actions to `server` from now on. Returns the function that disconnects. */
  connect(server: Server): () => void {
    this.server = server;
    return () => {
      this.server = null;
    };
  }

  /** Returns the fold of the server's list, with the optimistic events on top. */
  foldOn(list: List): StreamFold {
    const { documentId } = this.input;
    const rules = streamRules(aggregates, law, { kind: "document", id: documentId });
    return this.own.reduce(
      (before, { optimistic, version }) => {
        if (version !== null && version <= list.version) return before;
        const verdict = rules.judge(before, optimistic);
        return verdict.ok ? rules.optimistic(before, optimistic, verdict.toPhase) : before;
      },
      commentsFold({ documentId, ...list }),
    );
  }

  private async record(
    acts: readonly Act[],
    send: (server: Server, events: readonly OptimisticEvent[]) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { clock, random, userId } = this.input;
    const time = new Date(clock.now()).toISOString();
    const events = acts.map((act): OptimisticEvent => ({
      ...act,
      id: random.uuid(),
      actorId: userId,
      time,
    }));
    const isOwn = ({ optimistic }: OptimisticComment) => events.includes(optimistic);
    const added = events.map((optimistic) => ({ optimistic, version: null }));
    this.become([...this.own, ...added]);
    const { server } = this;
    const outcome = await this.sent(async () => {
      if (server === null) throw new StoreFault("not connected yet", 0);
      return send(server, events);
    });
    if (outcome.ok) {
      const { version } = outcome;
      this.become(this.own.map((each) => (isOwn(each) ? { ...each, version } : each)));
      server?.onRecorded();
    } else this.become(this.own.filter((each) => !isOwn(each)));
    return outcome;
  }

  private async sent(send: () => Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await send();
      if (!outcome.ok) this.input.onRefused(sentence(outcome.refusal));
      return outcome;
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      this.input.onUnsure(fault);
      return { ok: false, refusal: { name: "invalid-event", detail: fault.message } };
    }
  }

  private become(own: readonly OptimisticComment[]): void {
    this.own = own;
    for (const listener of this.listeners) listener();
  }
}
