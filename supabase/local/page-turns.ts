import type { IncomingMessage, ServerResponse } from "node:http";
import { storedSession } from "../stored-session";
import { CallTurns, mostPages } from "./call-turns";
import { leftWhile, sendResponse } from "./http";
import { inShare, type ThreadShares } from "./http/thread-shares";
import { networkOf } from "./network";
import type { Pages } from "./pages";
import { pathOf } from "./reverse-proxy";
import { verifyToken } from "./tokens";

/** A page takes about as much of the thread as so many calls. */
const weight = 4;

/**
 * Answers pages in turn: making one takes the thread that answers everybody, and somebody who asks
 * for hundreds at once waits for them alone. Files are sent at once.
 */
export function pagesInTurn(
  { handle }: Pick<Pages, "handle">,
  secret: string,
  shares: ThreadShares,
  turns = new CallTurns(mostPages),
) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse, peer: string) => {
    if (pathOf(incoming).startsWith("/_next/static/")) return handle(incoming, outgoing);
    const account = await accountOf(incoming, secret);
    const payer = account ?? networkOf(peer);
    const pays = account ? "account" : "network";
    const gone = leftWhile(outgoing);
    const refused = await inShare(shares, { payer, pays, kind: "page", weight }, gone, () =>
      turns.take(payer, gone, () => handle(incoming, outgoing)),
    );
    if (refused instanceof Response) await sendResponse(refused, outgoing);
  };
}

/** The account of the session in the cookies of a request, if we signed its token and it is valid. */
async function accountOf({ headers }: IncomingMessage, secret: string): Promise<string | null> {
  const session = await storedSession(headers.cookie ?? "").catch(() => null);
  const claims = session && verifyToken(session.access_token, secret, Date.now() / 1000);
  return claims?.sub ?? null;
}
