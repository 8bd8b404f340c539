import { tooManyCalls } from "./refusals";
import { mostAppends } from "../rest/append-turns";
import { SharedBudget } from "./shared-budget";

/**
 * Limits: calls answered concurrently per account, calls answered concurrently overall, and unread
 * responses per account.
 */
type Most = Readonly<Record<"answered" | "together" | "unread", number>>;

/**
 * Slow REST and Storage calls. Supabase Lite has enough connections for all groups at their limits
 * (`mostOfLite`), so that no group waits for another. No account occupies a whole group. A browser
 * reads six responses at a time.
 */
export const mostCalls: Most = { answered: 4, together: 6, unread: 8 };
/** Reads of the log, which are fast. */
export const mostReads: Most = { answered: 3, together: 6, unread: 8 };
/**
 * Appends. AppendTurns limits their connections: a read of the log may wait for a row that an
 * append has locked, so appends must not wait for reads.
 */
export const mostAppendCalls: Most = { answered: 4, together: Infinity, unread: 8 };
export const mostPages: Most = { answered: 4, together: Infinity, unread: 16 };
/** Static files, per network and overall: each keeps a file open while its caller reads it. */
export const mostFiles: Most = { answered: 32, together: 96, unread: Infinity };
/**
 * Auth calls use connections of Supabase Lite too. Sign-ins from one address wait for each other,
 * which leaves connections for the log.
 */
export const mostAuthCalls: Most = { answered: 3, together: 4, unread: 8 };
/** Functions and HTTP broadcasts, which hold no connection of their own. */
export const mostOtherCalls: Most = { answered: 4, together: Infinity, unread: 8 };
/** The number of Supabase Lite's connections: one per concurrent call, two for the service. */
export const mostOfLite =
  mostCalls.together + mostReads.together + mostAuthCalls.together + mostAppends.throughRest + 2;
const mostWaiting = 200;

/** Runs one piece of a call's work in a separate turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrent calls per account, so that an account with many calls delays only its own. */
export class CallTurns {
  private readonly answered: SharedBudget;
  private readonly unread: SharedBudget;

  constructor({ answered, together, unread }: Most) {
    this.answered = new SharedBudget({ perKey: answered, overall: together });
    this.unread = new SharedBudget({ perKey: unread, overall: Infinity });
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return this.answered.waiting + this.unread.waiting;
  }

  /** Answers a call with a single piece of work. See `each`. */
  take<T>(
    payer: string,
    gone: AbortSignal,
    answer: () => Promise<T>,
  ): Promise<T | Response | null> {
    return this.each(payer, gone, (inTurn) => inTurn(answer));
  }

  /**
   * Answers a call whose work takes a turn per piece. The call waits while `payer` has too many
   * unread responses, which stay in memory until they are read. Returns null if the caller
   * disconnects during the wait, and a 429 response if too many calls wait. `gone` aborts when the
   * connection ends for any reason; the remaining pieces are then dropped.
   */
  async each<T>(
    payer: string,
    gone: AbortSignal,
    answer: (inTurn: InTurn) => Promise<T>,
  ): Promise<T | Response | null> {
    if (this.unread.waitingOf(payer) >= mostWaiting) return tooManyCalls();
    const read = await this.unread.take(payer, 1, gone).catch(() => null);
    if (read === null) return null;
    // The client disconnected in the same tick.
    if (gone.aborted) {
      read();
      return null;
    }
    gone.addEventListener("abort", read, { once: true });
    const inTurn: InTurn = async (work) => {
      const release = await this.answered.take(payer, 1, gone);
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
