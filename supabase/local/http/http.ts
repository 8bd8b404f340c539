import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BodyTooSlow, Pace } from "./pace";
import { systemClock } from "../realtime/clock";

export class BodyTooLarge extends Error {}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Builds a web Request from the head of an incoming message. Returns null for an unsupported method
 * or an invalid URL.
 */
export function headOf(incoming: IncomingMessage): Request | null {
  const { url: path = "/", method = "GET" } = incoming;
  const origin = `http://${incoming.headers.host ?? "localhost"}`;
  if (!methods.has(method) || !path.startsWith("/") || !URL.canParse(path, origin)) return null;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || hopByHop.has(name)) continue;
    for (const entry of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, entry);
  }
  return new Request(new URL(path, origin), { method, headers });
}

/** Returns the same request with a body. */
export function withBody(head: Request, body: Uint8Array | ReadableStream<Uint8Array>): Request {
  if (
    head.method === "GET" ||
    head.method === "HEAD" ||
    (body instanceof Uint8Array && body.byteLength === 0)
  )
    return head;
  // Node requires `duplex: "half"` for a streamed body.
  const init: RequestInit & { duplex: "half" } = {
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    duplex: "half",
  };
  return new Request(head, init);
}

/** Returns the declared length of a request body, 0 without a body, null if not declared. */
export function announcedLength({ headers }: IncomingMessage): number | null {
  if (headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}

/**
 * Reads a request body chunk by chunk on demand. Throws BodyTooLarge after `most` bytes, and
 * BodyTooSlow if chunks arrive too slowly.
 */
export async function* chunksIn(
  incoming: IncomingMessage,
  most: number,
  clock = systemClock,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  // The socket must survive a partial read, since the response still uses it.
  const chunks = incoming.iterator({ destroyOnReturn: false });
  let fail: (error: Error) => void = () => undefined;
  const slow = new Promise<never>((_settle, reject) => (fail = reject));
  slow.catch(() => undefined);
  const pace = new Pace(clock, () => fail(new BodyTooSlow()));
  for (;;) {
    pace.wait();
    const next = chunks.next();
    next.catch(() => undefined);
    const { done, value } = await Promise.race([next, slow]).finally(() => pace.pause());
    if (done) return;
    const bytes: Buffer = Buffer.from(value);
    size += bytes.byteLength;
    pace.took(bytes.byteLength);
    if (size > most) throw new BodyTooLarge();
    yield bytes;
  }
}

/**
 * Reads a whole request body. Throws BodyTooLarge after `most` bytes, or BodyTooSlow, and leaves
 * the rest unread.
 */
export function readBody(
  incoming: IncomingMessage,
  most: number,
  clock = systemClock,
): Promise<Buffer> {
  // Uses events: for a small body, a stream iterator costs several times as much as reading.
  return new Promise((settle, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onChunk = (chunk: Buffer) => {
      size += chunk.byteLength;
      pace.took(chunk.byteLength);
      if (size > most) fail(new BodyTooLarge());
      else chunks.push(chunk);
    };
    const ended = () => {
      stop();
      settle(Buffer.concat(chunks));
    };
    const closed = () => fail(new Error("The client disconnected"));
    const pace = new Pace(clock, () => fail(new BodyTooSlow()));
    const stop = () => {
      pace.pause();
      incoming.off("data", onChunk).off("end", ended).off("error", fail).off("close", closed);
    };
    const fail = (error: Error) => {
      stop();
      incoming.pause();
      reject(error);
    };
    pace.wait();
    incoming.on("data", onChunk).on("end", ended).on("error", fail).on("close", closed);
  });
}

/** Creates a web stream that pulls chunks only on demand. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bodies with a declared length of at most this, in bytes, are sent in one piece. */
const wholeBody = 65_536;

/** Cached, because several steps of a response need it. */
const ends = new WeakMap<ServerResponse, AbortSignal>();

/** Returns a signal that aborts when a response was sent or its caller disconnected. */
export function leftWhile(outgoing: ServerResponse): AbortSignal {
  const known = ends.get(outgoing);
  if (known) return known;
  const gone = new AbortController();
  // An explicit reason avoids an exception with a stack per response. The listener is on the
  // response, because the request closes once its body is read.
  outgoing.once("close", () => gone.abort("left"));
  ends.set(outgoing, gone.signal);
  return gone.signal;
}

/** Sends a web Response as a stream if it is long. Does not throw if the client disconnects. */
export async function sendResponse(
  response: Response,
  outgoing: ServerResponse,
  headers = response.headers,
): Promise<void> {
  outgoing.statusCode = response.status;
  headers.forEach((value, name) => {
    if (name !== "set-cookie" && !hopByHop.has(name)) outgoing.setHeader(name, value);
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  if (!response.body) {
    outgoing.end();
    return;
  }
  if (Number(headers.get("content-length") ?? Infinity) <= wholeBody) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(response.body)) chunks.push(chunk);
    outgoing.end(Buffer.concat(chunks));
    return;
  }
  try {
    await pipeline(Readable.from(chunksOf(response.body)), outgoing);
  } catch (error) {
    if (!outgoing.destroyed) throw error;
  }
}

/** How long a client may keep sending a body that is not read, in ms. */
const patience = 2_000;

/**
 * Answers a request whose body may not have been read completely. The rest is discarded, and the
 * socket destroyed after a while. If the socket closed at once, a client that is still sending
 * would lose the response.
 */
export async function answerEarly(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers = response.headers,
): Promise<void> {
  const isUnread =
    !incoming.complete && announcedLength(incoming) !== 0 && incoming.httpVersion !== "1.0";
  if (isUnread) outgoing.shouldKeepAlive = true;
  await sendResponse(response, outgoing, headers);
  if (!isUnread || incoming.complete || incoming.destroyed) return;
  incoming.on("error", () => undefined).resume();
  const cut = setTimeout(() => incoming.socket.destroy(), patience);
  for (const over of ["end", "close"]) incoming.once(over, () => clearTimeout(cut));
}

/** Yields a body's chunks. Lite streams files as ArrayBuffers, which Node's adapter rejects. */
async function* chunksOf(
  body: ReadableStream<Uint8Array | ArrayBuffer>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    yield chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk;
}

const hopByHop = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "proxy-connection",
]);
