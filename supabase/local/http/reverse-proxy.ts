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
  /** Handles a request; `isOwn` is true for this machine, which may read local-only data. */
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
  /** Accepts requests. Until this call, clients get a response that asks them to retry. */
  open(router: Router): void;
  close(): Promise<void>;
};

/**
 * Timeouts in ms: for a request's headers, for the whole request, for a response that the client
 * does not read, and for an idle connection. `check` is the interval at which the first two are
 * checked.
 */
type Patience = { headers: number; request: number; check: number; answer: number; idle: number };

const patient: Patience = {
  headers: 15_000,
  request: 120_000,
  check: 5_000,
  answer: 120_000,
  // Longer than a proxy's usual minute. If the server closed first, a request that the client is
  // just sending would be lost.
  idle: 75_000,
};

const yearOfHttps = "max-age=31536000";

/** Above this number of connections, without WebSockets, idle connections are closed at once. */
const mostConnections = 1_000;

/**
 * Binds the port first, and checks every request that arrives. If the port is taken, throws an
 * error that names its owner.
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
    // With Node's default of half a minute, a silent socket would stay open that long.
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
    // Each connection is an open file, and the number of open files is limited.
    if (connections.size > most) server.closeIdleConnections();
  });

  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // The timer also runs while a response is being prepared. The socket is closed only if the
    // client leaves data unread.
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
  // A connection that failed for lack of files must not end the process.
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
 * Refuses an upgrade with a plain response, and closes the socket. Otherwise, only the client would
 * close it.
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Returns the path of a request without the query, which may contain a token. */
export function pathOf(incoming: IncomingMessage): string {
  return (incoming.url ?? "/").split("?")[0] ?? "/";
}

/** Returns a request's id in the log: our own proxy's id, or a new one. */
function requestId({ headers }: IncomingMessage, trustProxy: boolean): string {
  const given = headers["x-request-id"];
  return trustProxy && typeof given === "string" && /^[\w.-]{8,64}$/.test(given)
    ? given
    : randomBytes(8).toString("hex");
}

/** Pages accept no large bodies, only short forms from clients without scripts. */
const formLimit = 65_536;
const harmless = new Set(["GET", "HEAD", "OPTIONS"]);
const methods = new Set([...harmless, "POST", "PUT", "PATCH", "DELETE"]);

/** Browsers send about thirty headers, and proxies add a few. */
const mostHeaders = 100;

/** Counts the `Host` headers. Node uses the first, but a proxy may have used another. */
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
  // An absolute URL may name another host, which would bypass the check of the headers.
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
 * Returns the network address of the caller. The caller controls X-Forwarded-For, except for a last
 * entry that our own proxy wrote.
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
