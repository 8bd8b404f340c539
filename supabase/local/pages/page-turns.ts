import type { IncomingMessage, ServerResponse } from "node:http";
import { storedSession } from "../../stored-session";
import { CallTurns, mostFiles, mostPages } from "../http/call-turns";
import { leftWhile, sendResponse } from "../http/http";
import { inShare } from "../http/thread-shares";
import type { ThreadShares } from "../http/thread-shares";
import { networkOf } from "../http/network";
import type { Pages } from "./pages";
import { pathOf } from "../http/reverse-proxy";
import { verifyToken } from "../auth/tokens";

/** A page costs the main thread about as much as one call: its queries and its forwarding. */
const weight = 1;

/** The main thread, and the thread that renders pages. */
type Threads = Record<"main" | "pages", ThreadShares>;

/**
 * Serves pages in turn. Rendering occupies a thread for a while, so hundreds of requests from one
 * payer must delay only that payer. Files take no share.
 */
export function pagesInTurn(
  { handle }: Pick<Pages, "handle">,
  secret: string,
  shares: Threads,
  turns = new CallTurns(mostPages),
  files = new CallTurns(mostFiles),
) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse, peer: string) => {
    const gone = leftWhile(outgoing);
    const answer = () => handle(incoming, outgoing);
    if (pathOf(incoming).startsWith("/_next/static/"))
      return void (await files.take(networkOf(peer), gone, answer));
    const account = await accountOf(incoming, secret);
    const payer = account ?? networkOf(peer);
    const asked = { payer, pays: account ? "account" : "network", kind: "page", weight } as const;
    const refused = await inShare(shares.main, asked, gone, () =>
      inShare(shares.pages, asked, gone, () => turns.take(payer, gone, answer)),
    );
    if (refused instanceof Response) await sendResponse(refused, outgoing);
  };
}

/** Returns the account of the session cookie, if this backend signed a valid token. */
async function accountOf({ headers }: IncomingMessage, secret: string): Promise<string | null> {
  const session = await storedSession(headers.cookie ?? "").catch(() => null);
  const claims = session && verifyToken(session.access_token, secret, Date.now() / 1000);
  return claims?.sub ?? null;
}
