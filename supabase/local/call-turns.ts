import { refusal } from "./refusals";
import { SharedBudget } from "./shared-budget";

/**
 * Of the ten connections that REST has and the eight that appends have, no account holds half. A
 * browser reads six answers at a time.
 */
const most = { answered: 4, unread: 8, waiting: 200 };

/** In which order calls are answered: few of one account at a time, so that its own wait and nobody else's. */
export class CallTurns {
  readonly #answered = new SharedBudget({ perKey: most.answered, overall: Infinity });
  readonly #unread = new SharedBudget({ perKey: most.unread, overall: Infinity });

  /** How many calls wait. */
  get waiting(): number {
    return this.#answered.waiting + this.#unread.waiting;
  }

  /**
   * Answers once fewer than four calls of `payer` are being answered and fewer than eight of its
   * answers are on their way, which are in memory until they are read; null for who left meanwhile.
   * `gone` aborts when the connection of the answer has ended, in whichever way.
   */
  async take(
    payer: string,
    gone: AbortSignal,
    answer: () => Promise<Response>,
  ): Promise<Response | null> {
    if (this.#unread.waitingOf(payer) >= most.waiting)
      return refusal(
        429,
        "over_request_rate_limit",
        "Too many calls at once. Try again in a moment.",
        { "retry-after": "1" },
      );
    const read = await this.#unread.take(payer, 1, gone).catch(() => null);
    if (read === null) return null;
    gone.addEventListener("abort", read, { once: true });
    const release = await this.#answered.take(payer, 1, gone).catch(() => null);
    if (release === null) return null;
    try {
      return await answer();
    } finally {
      release();
    }
  }
}
