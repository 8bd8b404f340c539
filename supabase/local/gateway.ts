import type { IncomingMessage, ServerResponse } from "node:http";
import { handshakeKeys, hasExpired, invalidToken, isKey } from "./auth/api-key";
import type { CallTurns, InTurn } from "./http/call-turns";
import type { SharedBudget } from "./http/shared-budget";
import { inShare } from "./http/thread-shares";
import type { ThreadShares } from "./http/thread-shares";
import {
  announcedLength,
  answerEarly,
  BodyTooLarge,
  chunksIn,
  headOf,
  leftWhile,
  readBody,
  streamOf,
  withBody,
} from "./http/http";
import { BodyTooSlow } from "./http/pace";
import { admit, mail } from "./http/admission";
import { isSignedUpload, isUpload } from "./http/call";
import type { Call } from "./http/call";
import { bodyRefusal } from "./http/request-bounds";
import type { Keys } from "./keys";
import type { LiveSessions } from "./auth/live-sessions";
import type { Mailbox } from "./mail/mailbox";
import { catchMail } from "./mail/mail-endpoint";
import { refusal } from "./http/refusals";
import { removesMany } from "./storage/many-paths";
import type { StorageCall } from "./storage/many-paths";

export type Backend = {
  keys: Keys;
  mailbox: Mailbox;
  bodies: SharedBudget;
  shares: ThreadShares;
  calls: CallTurns;
  /** For reads of the log, which do not wait for other calls. */
  logCalls: CallTurns;
  appendCalls: CallTurns;
  authCalls: CallTurns;
  /** For functions, and for messages sent to Realtime over HTTP. */
  otherCalls: CallTurns;
  sessions: LiveSessions;
  /** Receives the body as bytes: most calls are answered without building a full Request. */
  rest: (call: Call, body: Uint8Array) => Promise<Response>;
  storage: (call: StorageCall, request: Request) => Promise<Response>;
  auth: (call: Call, body: Uint8Array) => Promise<Response>;
  functions: (call: Call, request: Request) => Promise<Response>;
  /** Realtime's HTTP API; null for an unknown path. */
  realtime: (call: Call, request: Request) => Promise<Response | null>;
};

const megabyte = 1024 * 1024;
const bodyLimit = megabyte;
const largeLimit = 25 * megabyte;
/** Bodies up to this size are read without reserving memory. */
const smallBody = 65_536;
/** Calls that an open document makes continually. */
const appendCalls = "/rest/v1/rpc/append_events";
const logCalls = /^\/rest\/v1\/rpc\/(read_events|read_feed|stream_topic)$/;

/**
 * Answers one backend request. The caller is identified from the headers before the body is read.
 * The caller determines how much of the body is read and how many calls run concurrently. `isOwn`
 * is true for requests from this machine.
 */
export async function answerBackend(
  backend: Backend,
  peer: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isOwn: boolean,
): Promise<void> {
  const head = headOf(incoming);
  const response = head
    ? await answerHead(backend, { head, url: new URL(head.url), peer, isOwn }, incoming, outgoing)
    : refusal(400, "bad_request", "The request is invalid.");
  if (response) await answerEarly(response, incoming, outgoing, guarded(response));
}

/** Returns null if the caller disconnects before the response. */
async function answerHead(
  backend: Backend,
  asked: Parameters<typeof admit>[1],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response | null> {
  const { head, url, peer } = asked;
  const caller = await admit(backend, asked);
  if (caller instanceof Response) return caller;
  return answerInShare(backend, { head, url, peer, caller, gone: leftWhile(outgoing) }, incoming);
}

/** Whether a WebSocket may be opened: it needs a valid key in its URL or headers. */
export function mayOpenSocket(keys: Keys, incoming: IncomingMessage): boolean {
  return handshakeKeys(incoming).some((key) => isKey(key, keys));
}

/** The bytes of a body that take as much of the main thread as an ordinary call. */
const bytesOfCall = 32_768;

/**
 * Answers a call once its caller has a share of the main thread. Calls of the service do not wait,
 * and streaming uploads use little of the thread. Unauthenticated auth calls are counted
 * separately, so that a sign-in does not wait for other requests from the same network.
 */
async function answerInShare(
  backend: Backend,
  call: Call,
  incoming: IncomingMessage,
): Promise<Response | null> {
  const { caller, url, gone } = call;
  const answer = () => answerCaller(backend, call, incoming);
  if (caller.kind === "service" || isUpload(call)) return answer();
  const isAccount = caller.claims?.sub !== undefined;
  const payer = caller.payer + (url.pathname.startsWith("/auth/") && !isAccount ? " auth" : "");
  const bytes = announcedLength(incoming) ?? bodyLimit;
  const weight = 1 + Math.min(bytes, largeLimit) / bytesOfCall;
  const pays = isAccount ? "account" : "network";
  return inShare(backend.shares, { payer, pays, kind: "call", weight }, gone, answer);
}

async function answerCaller(
  backend: Backend,
  call: Call,
  incoming: IncomingMessage,
): Promise<Response | null> {
  const { head, url, caller, gone } = call;
  const streams = isUpload(call);
  // The service stores document states, and people store files. An upload URL is signed by the
  // service, or by a person whom a policy permits.
  const isLarge = caller.kind === "person" || isSignedUpload(call);
  const most = caller.kind === "service" || (streams && isLarge) ? largeLimit : bodyLimit;
  const tooLarge = () =>
    refusal(413, "too-large", `A request may hold at most ${most / megabyte} MB.`);
  const announced = head.method === "GET" || head.method === "HEAD" ? 0 : announcedLength(incoming);
  if ((announced ?? 0) > most) return tooLarge();
  if (announced === 0) return inTurns(backend, call, Buffer.alloc(0), () => undefined);
  const needed = (announced ?? most) <= smallBody ? 0 : (announced ?? most);
  const reserved = Math.min(needed, streams ? bodyLimit : most);
  const release = await backend.bodies.take(caller.payer, reserved, gone).catch(() => null);
  // The client disconnected while the call waited.
  if (release === null) return null;
  try {
    if (streams) return await stream(backend, call, incoming, most, tooLarge);
    const body = await readBody(incoming, most);
    const refused = caller.kind === "service" ? null : bodyRefusal({ head, url }, body);
    // A body that waits for its turn stays in memory, and keeps its reservation.
    return refused ?? (await inTurns(backend, call, body, release));
  } catch (error) {
    if (error instanceof BodyTooLarge) return tooLarge();
    if (error instanceof BodyTooSlow) return tooSlow();
    if (incoming.destroyed && !incoming.complete) return null;
    throw error;
  } finally {
    release();
  }
}

const tooSlow = () =>
  refusal(408, "too_slow", "The request body arrived at less than 1 kB per second.", {
    connection: "close",
  });

/** Answers a call in turn with others of its account. `begins` is called when the work starts. */
async function inTurns(
  backend: Backend,
  call: Call,
  body: Uint8Array,
  begins: () => void,
): Promise<Response | null> {
  const { caller, gone } = call;
  const answer = async (inTurn: InTurn) => {
    begins();
    // The body or the turn may have taken long.
    if (hasExpired(caller, Date.now() / 1000)) return invalidToken();
    return route(backend, { ...call, inTurn }, body);
  };
  if (caller.kind === "service") return answer((work) => work());
  const turns = turnsOf(backend, call.url.pathname);
  if (removesMany(call)) return turns.each(caller.payer, gone, answer);
  return turns.take(caller.payer, gone, () => answer((work) => work()));
}

/** Returns the group of a call, by the connections and work that the call needs. */
function turnsOf(backend: Backend, pathname: string): CallTurns {
  if (pathname === appendCalls) return backend.appendCalls;
  if (logCalls.test(pathname)) return backend.logCalls;
  if (pathname.startsWith("/auth/")) return backend.authCalls;
  return /^\/(rest|storage)\//.test(pathname) ? backend.calls : backend.otherCalls;
}

/** Passes the body of an upload to the backend as a stream. */
async function stream(
  backend: Backend,
  call: Call,
  incoming: IncomingMessage,
  most: number,
  tooLarge: () => Response,
): Promise<Response> {
  let failure: unknown = null;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunksIn(incoming, most);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const request = withBody(call.head, streamOf(watched()));
  const response = await backend.storage({ ...call, inTurn: (work) => work() }, request);
  if (failure instanceof BodyTooLarge) return tooLarge();
  return failure instanceof BodyTooSlow ? tooSlow() : response;
}

async function route(backend: Backend, call: StorageCall, body: Uint8Array): Promise<Response> {
  const { pathname } = call.url;
  if (pathname.startsWith("/rest/")) return backend.rest(call, body);
  if (pathname.startsWith("/auth/")) return backend.auth(call, body);
  const request = withBody(call.head, body);
  if (pathname.startsWith("/functions/")) return backend.functions(call, request);
  if (pathname.startsWith("/storage/")) return backend.storage(call, request);
  if (pathname === mail) return catchMail(backend.mailbox, request);
  return (await backend.realtime(call, request)) ?? refusal(404, "not_found", "Not found");
}

/**
 * Returns a response's headers with protection: the response does not run as a page of this origin,
 * and pages of other origins cannot read it.
 */
function guarded(response: Response): Headers {
  const headers = new Headers(response.headers);
  for (const name of [...headers.keys()]) {
    if (name.startsWith("access-control-")) headers.delete(name);
  }
  headers.set("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return headers;
}
