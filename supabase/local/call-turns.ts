import { tooManyCalls } from "./refusals";
import { mostAppends } from "./rest/append-turns";
import { SharedBudget } from "./shared-budget";

/**
 * How many calls of one account are answered at a time, of all accounts together, and how many of
 * one's answers nobody has read yet.
 */
type Most = Readonly<Record<"answered" | "together" | "unread", number>>;

/**
 * What takes long of REST and storage. Supabase Lite has connections for every lane at its limit (`mostOfLite`), so
 * that no lane waits for another, and no account holds all of one. A browser reads six answers at a
 * time.
 */
export const mostCalls: Most = { answered: 4, together: 6, unread: 8 };
/** Calls that read the log, which take a moment each. */
export const mostReads: Most = { answered: 3, together: 6, unread: 8 };
/**
 * Appends. Their connections are counted by AppendTurns: a read of the log may wait for a row that an append holds,
 * so no append waits behind reads.
 */
export const mostAppendCalls: Most = { answered: 4, together: Infinity, unread: 8 };
export const mostPages: Most = { answered: 4, together: Infinity, unread: 16 };
/**
 * Static files of one network, and of all: each is an open file of this process for as long as its
 * caller takes to read it.
 */
export const mostFiles: Most = { answered: 32, together: 96, unread: Infinity };
/**
 * Calls to auth take connections of Supabase Lite too: sign-ins behind one address wait for each
 * other, and all of them leave the log its own.
 */
export const mostAuthCalls: Most = { answered: 3, together: 4, unread: 8 };
/** Functions, and broadcasts over HTTP, which hold no connection themselves. */
export const mostOtherCalls: Most = { answered: 4, together: Infinity, unread: 8 };
/** The connections of Supabase Lite: one for each call that it answers at a time, and two for the service. */
export const mostOfLite =
  mostCalls.together + mostReads.together + mostAuthCalls.together + mostAppends.throughRest + 2;
const mostWaiting = 200;

/** Does one piece of a call's work in a turn of its own. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** In which order calls are answered: few of one account at a time, so that its own wait and nobody else's. */
export class CallTurns {
  readonly #answered: SharedBudget;
  readonly #unread: SharedBudget;

  constructor({ answered, together, unread }: Most) {
    this.#answered = new SharedBudget({ perKey: answered, overall: together });
    this.#unread = new SharedBudget({ perKey: unread, overall: Infinity });
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#answered.waiting + this.#unread.waiting;
  }

  /** Answers a call by one piece of work; see `each`. */
  take<T>(
    payer: string,
    gone: AbortSignal,
    answer: () => Promise<T>,
  ): Promise<T | Response | null> {
    return this.each(payer, gone, (inTurn) => inTurn(answer));
  }

  /**
   * Answers by work of which each piece takes a turn: once few enough calls of `payer` are being answered and few enough of its answers are on
   * their way, which are in memory until they are read; null for who left meanwhile, and a refusal
   * where too many wait. `gone` aborts when the connection of the answer has ended, in whichever way;
   * the pieces that are left then are dropped.
   */
  async each<T>(
    payer: string,
    gone: AbortSignal,
    answer: (inTurn: InTurn) => Promise<T>,
  ): Promise<T | Response | null> {
    if (this.#unread.waitingOf(payer) >= mostWaiting) return tooManyCalls();
    const read = await this.#unread.take(payer, 1, gone).catch(() => null);
    if (read === null) return null;
    // The client disconnected in the same tick.
    if (gone.aborted) {
      read();
      return null;
    }
    gone.addEventListener("abort", read, { once: true });
    const inTurn: InTurn = async (work) => {
      const release = await this.#answered.take(payer, 1, gone);
      try {
        return await work();
      } finally {
        release();
      }
    };
    try {
      return await answer(inTurn);
    } catch (error) {
      if (gone.aborted && error === gone.reason) return null;
      throw error;
    }
  }
}
