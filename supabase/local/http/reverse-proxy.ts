import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { hostname } from "node:os";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isBackendPath } from "./admission";
import { announcedLength, answerEarly, sendResponse } from "./http";
import { mostSockets, openFilesLimit } from "./open-files";
import { SocketRoom } from "./socket-room";
import { operationsAnswer } from "../operations/endpoints";
import { printedText } from "../operations/error-text";
import { asRequest } from "../operations/log";
import type { Log } from "../operations/log";
import type { Metrics } from "../operations/metrics";
import type { Readiness } from "../operations/readiness";
import { kindOfPath, shownPath } from "../operations/request-kind";
import { isOwnMachine } from "../operations/own-machine";
import { hostAllowed, isSecure, originAllowed, stripSteering } from "./origin";
import { instancePath, portInUse } from "../process/port-holder";
import type { Instance } from "../process/port-holder";
import { refusal } from "./refusals";
import type { Settings } from "../settings";

export type Router = {
  /** `isOwn`: the request is from this machine, and may see what is for it only. */
  request(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    peer: string,
    isOwn: boolean,
  ): Promise<void>;
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, peer: string): Promise<void>;
  /** Whether all parts work. */
  readiness(): Promise<Readiness>;
};

export type ReverseProxy = {
  /** Lets requests in; until then they are asked to retry. */
  open(router: Router): void;
  close(): Promise<void>;
};

/**
 * Timeouts in ms: for a request's headers and for the whole request, the interval of checking
 * these, for a response that is not being read, and for an idle connection.
 */
type Patience = { headers: number; request: number; check: number; answer: number; idle: number };

const patient: Patience = {
  headers: 15_000,
  request: 120_000,
  check: 5_000,
  answer: 120_000,
  // Longer than a proxy's usual minute. The client should be the first to close, or a request that
  // is just being sent is lost.
  idle: 75_000,
};

const yearOfHttps = "max-age=31536000";

/** Above this many connections, not counting WebSockets, idle ones are closed at once. */
const mostConnections = 1_000;

/**
 * Binds the port first, and checks every request that arrives; throws an error naming the port's
 * owner if it is taken.
 */
export async function openReverseProxy(
  settings: Settings,
  log: Log,
  metrics: Pick<Metrics, "request">,
  patience = patient,
  most = mostConnections,
  mostOpen = mostSockets(openFilesLimit()),
): Promise<ReverseProxy> {
  const instance: Instance = { pid: process.pid, startedAt: new Date().toISOString() };
  const allowed = [settings.host, hostname(), `${hostname()}.local`, ...settings.allowedHosts];
  let router: Router | null = null;
  const server = createServer({
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    // Node's default is half a minute, for which a silent socket would stay open.
    connectionsCheckingInterval: patience.check,
    keepAliveTimeout: patience.idle,
  });

  // Node restarts this timer with every byte.
  server.timeout = patience.answer;

  const room = new SocketRoom(mostOpen, log);
  const connections = new Set<Duplex>();
  server.on("connection", (socket) => {
    if (!room.admit(socket)) return server.closeIdleConnections();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    // Each connection is an open file, which are limited.
    if (connections.size > most) server.closeIdleConnections();
  });

  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // The timer also runs while a response is being prepared: only close if data is waiting to be
    // read.
    outgoing.on("timeout", (socket: Socket) => socket.writableLength > 0 && socket.destroy());
    const peer = peerOf(incoming, settings.trustProxy);
    const isOwn = isOwnMachine(incoming, settings);
    const secure = isSecure(incoming.headers, settings.trustProxy);
    if (secure) outgoing.setHeader("strict-transport-security", yearOfHttps);
    const answer = (response: Response) => sendResponse(response, outgoing);
    const admit = async () => {
      if (incoming.url === instancePath && isOwn) return answer(Response.json(instance));
      const watched = operationsAnswer(
        incoming,
        isOwn,
        settings.metricsToken,
        router && router.readiness,
      );
      if (watched) return answerEarly(await watched, incoming, outgoing);
      const refused = requestRefusal(incoming, allowed);
      if (refused) return answerEarly(refused, incoming, outgoing);
      if (!router)
        return answer(
          refusal(503, "starting", "The workspace is starting.", { "retry-after": "1" }),
        );
      stripSteering(incoming.headers);
      // Pages use this header to mark their cookies as secure.
      if (secure) incoming.headers["x-forwarded-proto"] = "https";
      return router.request(incoming, outgoing, peer, isOwn);
    };
    admit().catch((error: unknown) => {
      log(`${incoming.method} ${shownPath(pathOf(incoming))} failed: ` + printedText(error), {
        level: "error",
      });
      if (outgoing.headersSent) outgoing.destroy();
      else
        void answer(
          refusal(500, "fault", "Something went wrong here. Nothing you wrote is lost; try again."),
        );
    });
  };

  server.on("request", (incoming, outgoing) => {
    if (room.hasRefused(incoming.socket)) return;
    const id = requestId(incoming, settings.trustProxy);
    const begun = performance.now();
    outgoing.setHeader("x-request-id", id);
    outgoing.once("close", () => {
      const path = pathOf(incoming);
      const milliseconds = performance.now() - begun;
      metrics.request(kindOfPath(path), outgoing.statusCode, milliseconds / 1000);
      log(`${incoming.method} ${shownPath(path)}`, {
        level: "debug",
        request: id,
        status: outgoing.statusCode,
        ms: Math.round(milliseconds),
      });
    });
    asRequest(id, () => take(incoming, outgoing));
  });

  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.delete(socket);
    socket.on("error", () => socket.destroy());
    if (room.hasRefused(socket)) return;
    if (!hostAllowed(incoming.headers.host, allowed))
      return refuseUpgrade(socket, "421 Misdirected Request");
    if (!incoming.url?.startsWith("/") || hostsOf(incoming) > 1)
      return refuseUpgrade(socket, "400 Bad Request");
    if (!originAllowed(incoming.headers)) return refuseUpgrade(socket, "403 Forbidden");
    if (!router) return refuseUpgrade(socket, "503 Service Unavailable");
    stripSteering(incoming.headers);
    router
      .upgrade(incoming, socket, head, peerOf(incoming, settings.trustProxy))
      .catch((error: unknown) => {
        log(`Opening a socket failed: ${printedText(error)}`, { level: "error" });
        socket.destroy();
      });
  });

  await listen(server, settings);
  // A connection that the system could not open, for lack of files, must not end the process.
  server.on("error", (error) => room.failed(error));
  return {
    open(given) {
      router = given;
    },
    close() {
      const closed = new Promise<void>((settle) => server.close(() => settle()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/**
 * Refuses an upgrade with a plain response and closes the socket, which otherwise only the client
 * would.
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The path of a request, without the query, which may contain a token. */
export function pathOf(incoming: IncomingMessage): string {
  return (incoming.url ?? "/").split("?")[0] ?? "/";
}

/** A request's id in the log: a new one, unless our own proxy provided one. */
function requestId({ headers }: IncomingMessage, trustProxy: boolean): string {
  const given = headers["x-request-id"];
  return trustProxy && typeof given === "string" && /^[\w.-]{8,64}$/.test(given)
    ? given
    : randomBytes(8).toString("hex");
}

/** Pages take no large bodies, only short forms of clients without scripts. */
const formLimit = 65_536;
const harmless = new Set(["GET", "HEAD", "OPTIONS"]);
const methods = new Set([...harmless, "POST", "PUT", "PATCH", "DELETE"]);

/** Browsers send some thirty, proxies add a few. */
const mostHeaders = 100;

/** The number of `Host` headers: Node uses the first, but a proxy may have used another. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host")
    .length;
}

function requestRefusal(incoming: IncomingMessage, allowed: readonly string[]): Response | null {
  const { headers, method = "GET", url = "/" } = incoming;
  if (!methods.has(method))
    return refusal(405, "method_not_allowed", "Method not allowed", {
      allow: [...methods].join(", "),
    });
  if (incoming.rawHeaders.length / 2 > mostHeaders)
    return refusal(431, "too_many_headers", `A request has at most ${mostHeaders} headers.`);
  if (hostsOf(incoming) > 1)
    return refusal(400, "bad_request", "A request must have one Host header.");
  // An absolute URL may name another host, which is not checked against the headers.
  if (!url.startsWith("/"))
    return refusal(400, "bad_request", "The request target must be a path.");
  if (!hostAllowed(headers.host, allowed)) {
    return refusal(
      421,
      "misdirected",
      "This workspace does not answer under that name. Name it in ALLOWED_HOSTS.",
    );
  }
  const changes = !harmless.has(method) || (method === "OPTIONS" && headers.origin !== undefined);
  if (changes && !originAllowed(headers))
    return refusal(403, "cross_origin", "Requests from other sites are refused.");
  if (!isBackendPath(pathOf(incoming)) && !harmless.has(method)) {
    // Pages only accept small forms, with a declared length.
    const length = announcedLength(incoming);
    if (length === null) return refusal(411, "length_required", "A Content-Length is required.");
    if (length > formLimit) return refusal(413, "too-large", "A form may hold at most 64 kB.");
  }
  return null;
}

/**
 * The network address of the caller. X-Forwarded-For is under the caller's control, except for a
 * last entry written by our own proxy.
 */
function peerOf(incoming: IncomingMessage, trustProxy: boolean): string {
  const forwarded = incoming.headers["x-forwarded-for"];
  if (trustProxy && typeof forwarded === "string") {
    const last = forwarded.split(",").at(-1)?.trim();
    if (last) return last;
  }
  return incoming.socket.remoteAddress ?? "unknown";
}

async function listen(server: Server, { port, host }: Settings): Promise<void> {
  try {
    await new Promise<void>((settle, reject) =>
      server.once("error", reject).listen(port, host, settle),
    );
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EADDRINUSE") throw new Error(await portInUse(port));
    if (code === "EACCES")
      throw new Error(`Port ${port} needs an administrator. Choose another with PORT.`);
    throw error;
  }
}
