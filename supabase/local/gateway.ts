import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, callerOf, handshakeKeys, isKey, payerOf } from "./api-key";
import type { CallTurns, InTurn } from "./call-turns";
import type { SharedBudget } from "./shared-budget";
import { inShare, type ThreadShares } from "./http/thread-shares";
import { nestsEmbeds } from "./embeds";
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
} from "./http";
import { BodyTooSlow } from "./http/pace";
import { addressRefusal, bodyRefusal } from "./http/request-bounds";
import type { Keys } from "./keys";
import type { LiveSessions } from "./live-sessions";
import type { Mailbox } from "./mailbox";
import { catchMail, isMailSender, listMail } from "./mail-endpoint";
import { asksForPlan, withExactCount } from "./preferences";
import { refusal } from "./refusals";
import { invalidAddress } from "./storage-answers";
import { removesMany, type StorageCall } from "./storage/many-paths";
import { signedAddress } from "./tokens";

type Fetch = (request: Request) => Promise<Response>;

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
  /**
   * Takes the request's head and body separately: most calls are answered without building a full
   * Request. `gone` aborts when the caller disconnects.
   */
  rest: (head: Request, body: Uint8Array, gone: AbortSignal) => Promise<Response>;
  storage: (request: Request, call: StorageCall) => Promise<Response>;
  /** `gone` aborts when the caller disconnects. */
  auth: (request: Request, peer: string, body: Uint8Array, gone: AbortSignal) => Promise<Response>;
  functions: Fetch;
  /** Realtime's HTTP API; null for an unknown path. */
  realtime: (request: Request) => Promise<Response | null>;
};

const megabyte = 1024 * 1024;
const bodyLimit = megabyte;
const largeLimit = 25 * megabyte;
/** Bodies up to this size are read without reserving memory. */
const smallBody = 65_536;
const mail = "/mail/messages.json";
/** Calls that an open document makes continually. */
const appendCalls = "/rest/v1/rpc/append_events";
const logCalls = /^\/rest\/v1\/rpc\/(read_events|read_feed|stream_topic)$/;

/** Whether a path belongs to the backend rather than to the pages. */
export function isBackendPath(path: string): boolean {
  return /^\/(auth|rest|storage|functions|realtime|graphql)\/v1(\/|$)/.test(path) || path === mail;
}

/**
 * Answers one backend request. The caller is identified from the headers before the body is read,
 * and determines how much of the body is read and how many calls run at a time. `isOwn` is true for
 * requests from this machine.
 */
export async function answerBackend(
  backend: Backend,
  peer: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isOwn: boolean,
): Promise<void> {
  const head = headOf(incoming);
  const caller = head
    ? await whileSession(backend, head, admit(backend, isOwn, head))
    : refusal(400, "bad_request", "The request is invalid.");
  const response =
    head && !(caller instanceof Response)
      ? await answerInShare(backend, peer, head, caller, incoming, leftWhile(outgoing))
      : caller;
  if (response instanceof Response)
    await answerEarly(response, incoming, outgoing, guarded(response));
}

/** Whether a WebSocket may be opened: it needs a valid key in its URL or headers. */
export function mayOpenSocket(keys: Keys, incoming: IncomingMessage): boolean {
  return handshakeKeys(incoming).some((key) => isKey(key, keys));
}

/** Checks a request by its URL and headers; returns the caller or a refusal. */
function admit({ keys, mailbox }: Backend, isOwn: boolean, head: Request): Caller | Response {
  const { pathname, searchParams } = new URL(head.url);
  // Dot segments may have changed the path, and Lite would decode and serve paths that the rate
  // limits do not recognise.
  const isPlain =
    isBackendPath(pathname) && (!pathname.startsWith("/auth/") || /^[\w./-]+$/.test(pathname));
  if (!isPlain) return refusal(404, "not_found", "Not found");
  // Postgres text cannot hold NUL, and URL parsers disagree on it.
  if (head.url.includes("%00"))
    return refusal(400, "bad_request", "The URL contains a NUL character.");
  if (pathname === mail) {
    if (head.method === "GET") return listMail(mailbox, isOwn, searchParams.get("to"));
    if (head.method !== "POST") return refusal(405, "method_not_allowed", "Method not allowed");
    return isMailSender(head, keys)
      ? { kind: "service", claims: null }
      : refusal(401, "invalid_api_key", "Invalid API key");
  }
  if (pathname.startsWith("/graphql/"))
    return refusal(404, "not_found", "The embedded backend does not offer GraphQL.");
  // Pages are on the same origin and need no preflight; other origins get no CORS headers.
  if (head.method === "OPTIONS") return new Response(null, { status: 204 });
  const caller = callerOf(head, keys, Date.now() / 1000);
  if (caller instanceof Response || caller.kind === "service") return caller;
  const tooMuch = addressRefusal(new URL(head.url), head.headers);
  if (tooMuch) return tooMuch;
  if (pathname.startsWith("/rest/")) {
    if (asksForPlan(head.headers))
      return refusal(406, "PGRST107", "Query plans are not available.");
    if (nestsEmbeds(searchParams))
      return refusal(
        400,
        "PGRST127",
        "Rows are embedded one level deep; ask for what is deeper by a request of its own.",
      );
    withExactCount(head.headers);
  }
  if (!isSignedUpload(head)) return caller;
  const token = searchParams.get("token") ?? "";
  const address = signedAddress(token, "upload", keys.jwtSecret, Date.now() / 1000);
  return address === "valid" ? { ...caller, kind: "person" } : invalidAddress(address);
}

/** Refuses a token that has not expired but whose session has ended. */
async function whileSession(
  { sessions }: Backend,
  head: Request,
  caller: Caller | Response,
): Promise<Caller | Response> {
  const session = caller instanceof Response ? undefined : caller.claims?.session_id;
  if (session === undefined || (await sessions.holds(session))) return caller;
  const isAuth = new URL(head.url).pathname.startsWith("/auth/");
  return refusal(isAuth ? 403 : 401, "session_not_found", "The session of the token has ended");
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
  peer: string,
  head: Request,
  caller: Caller,
  incoming: IncomingMessage,
  gone: AbortSignal,
): Promise<Response | null> {
  const answer = () => answerCaller(backend, peer, head, caller, incoming, gone);
  if (caller.kind === "service" || isUpload(head)) return answer();
  const isAuth = new URL(head.url).pathname.startsWith("/auth/");
  const payer = payerOf(caller, peer) + (isAuth && !caller.claims?.sub ? " auth" : "");
  const bytes = announcedLength(incoming) ?? bodyLimit;
  const weight = 1 + Math.min(bytes, largeLimit) / bytesOfCall;
  const pays = caller.claims?.sub ? "account" : "network";
  return inShare(backend.shares, { payer, pays, kind: "call", weight }, gone, answer);
}

async function answerCaller(
  backend: Backend,
  peer: string,
  head: Request,
  caller: Caller,
  incoming: IncomingMessage,
  gone: AbortSignal,
): Promise<Response | null> {
  const streams = isUpload(head);
  // The service stores document states, and people store files. An upload URL is signed by the
  // service, or by a person whom a policy permits.
  const isLarge = caller.kind === "person" || isSignedUpload(head);
  const most = caller.kind === "service" || (streams && isLarge) ? largeLimit : bodyLimit;
  const tooLarge = () =>
    refusal(413, "too-large", `A request may hold at most ${most / megabyte} MB.`);
  const announced = head.method === "GET" || head.method === "HEAD" ? 0 : announcedLength(incoming);
  if ((announced ?? 0) > most) return tooLarge();
  const payer = payerOf(caller, peer);
  if (announced === 0)
    return inTurns(backend, peer, head, caller, Buffer.alloc(0), gone, () => undefined);
  const needed = (announced ?? most) <= smallBody ? 0 : (announced ?? most);
  const reserved = Math.min(needed, streams ? bodyLimit : most);
  const release = await backend.bodies.take(payer, reserved, gone).catch(() => null);
  // The client disconnected while the call waited.
  if (release === null) return null;
  try {
    if (streams) return await stream(backend, head, caller, incoming, most, tooLarge);
    const body = await readBody(incoming, most);
    const refused = caller.kind === "service" ? null : bodyRefusal(head, body);
    // A body waiting for its turn stays in memory, and keeps its reservation.
    return refused ?? (await inTurns(backend, peer, head, caller, body, gone, release));
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

/** Answers a call in turn with others of its account; `begins` is called when its work starts. */
async function inTurns(
  backend: Backend,
  peer: string,
  head: Request,
  caller: Caller,
  body: Uint8Array,
  gone: AbortSignal,
  begins: () => void,
): Promise<Response | null> {
  const answer = (inTurn: InTurn) => {
    begins();
    return route(backend, peer, head, body, gone, { caller, inTurn });
  };
  if (caller.kind === "service") return answer((work) => work());
  const turns = turnsOf(backend, new URL(head.url).pathname);
  const payer = payerOf(caller, peer);
  if (removesMany(head)) return turns.each(payer, gone, answer);
  return turns.take(payer, gone, () => answer((work) => work()));
}

/** The group of a call, by the connections and work that it needs. */
function turnsOf(backend: Backend, pathname: string): CallTurns {
  if (pathname === appendCalls) return backend.appendCalls;
  if (logCalls.test(pathname)) return backend.logCalls;
  if (pathname.startsWith("/auth/")) return backend.authCalls;
  return /^\/(rest|storage)\//.test(pathname) ? backend.calls : backend.otherCalls;
}

/** Passes the body of an upload on as a stream. */
async function stream(
  backend: Backend,
  head: Request,
  caller: Caller,
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
  const response = await backend.storage(withBody(head, streamOf(watched())), {
    caller,
    inTurn: (work) => work(),
  });
  if (failure instanceof BodyTooLarge) return tooLarge();
  return failure instanceof BodyTooSlow ? tooSlow() : response;
}

function isUpload({ method, url }: Request): boolean {
  if (isSignedUpload({ method, url })) return true;
  const { pathname } = new URL(url);
  return (
    (method === "POST" || method === "PUT") &&
    /^\/storage\/v1\/object\/(?!(list|list-v2|sign|upload\/sign|info|public|authenticated)\/)[^/]+\/./.test(
      pathname,
    )
  );
}

function isSignedUpload({ method, url }: Pick<Request, "method" | "url">): boolean {
  return method === "PUT" && new URL(url).pathname.startsWith("/storage/v1/object/upload/sign/");
}

async function route(
  backend: Backend,
  peer: string,
  head: Request,
  body: Uint8Array,
  gone: AbortSignal,
  call: StorageCall,
): Promise<Response> {
  const { pathname } = new URL(head.url);
  if (pathname.startsWith("/rest/")) return backend.rest(head, body, gone);
  const request = withBody(head, body);
  if (pathname === mail) return catchMail(backend.mailbox, request);
  if (pathname.startsWith("/functions/")) return backend.functions(request);
  if (pathname.startsWith("/realtime/")) {
    return (await backend.realtime(request)) ?? refusal(404, "not_found", "Not found");
  }
  if (pathname.startsWith("/storage/")) return backend.storage(request, call);
  return backend.auth(request, peer, body, gone);
}

/**
 * The headers of a response, which prevent it from running as a page of this origin, and pages of
 * other origins from reading it.
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
