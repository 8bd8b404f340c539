import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import postgres from "postgres";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import type { Caller } from "@/supabase/local/auth/api-key";
import { policyAuthorizer } from "./authorizer";
import { systemClock } from "./clock";
import type { Clock, Log } from "./clock";
import { Connection } from "./connection";
import { pickUpDatabaseMessages } from "./database-messages";
import { readHandshake, refuseHandshake } from "./handshake";
import type { Client } from "./handshake";
import { handleBroadcast } from "./http";
import { unwatched } from "./hub";
import type { Hub, Sessions } from "./hub";
import type { Plan } from "@/supabase/realtime-plan";
import { limitsOf, Usage } from "./limits";
import { Liveness } from "./liveness";
import { logLine } from "./log-line";
import { socketTransport, WriteBatch } from "./outbox";
import { maintainPartitions } from "./partitions";
import { databaseReplay } from "./replay";
import { inTurns, policyConnections } from "./topics/authorizer-turns";
import { TopicRegistry } from "./topic-members";
import { Shares } from "./shares";
import { tokenVerifier } from "./token";
import type { Keys } from "./token";

export type RealtimeOptions = {
  databaseUrl: string;
  jwtSecret: string;
  keys: Keys;
  plan?: Plan;
  log: Log;
  /** Tracks the sessions of tokens. By default, sessions are valid until their token expires. */
  sessions?: Sessions & { onEnd(listener: (session: string) => void): () => void };
  /** Whether a page of this origin may connect to this host. By default, every page may. */
  allowedOrigin?: (origin: string, host: string) => boolean;
  clock?: Clock;
  /** How long the response to a refused join or handshake is delayed, in ms. */
  backoff?: number;
  /** The bytes that may be pending for a client before the server disconnects it. */
  mostBuffered?: number;
  /** The connections of one address that may be open without a joined topic. */
  mostIdle?: number;
};

type Realtime = {
  /**
   * Handles an upgrade of `/realtime/v1/websocket` or `/socket/websocket`. `address` is the
   * caller's address if there is a proxy in between.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address?: string): void;
  /** Answers `/realtime/v1/api/*`; null for other paths. See `handleBroadcast` for `caller`. */
  handleRequest(request: Request, caller?: Caller): Promise<Response | null>;
  /** Whether the server is listening to the database. */
  isListening(): boolean;
  /** Returns the number of open WebSockets, and of topics with members. */
  count(): { connections: number; channels: number };
  close(): Promise<void>;
};

const largestFrame = 5_000_000;
const goingAway = 1001;
const restarting = 1012;
/** How long a closing server waits for its clients' close frames, in ms. */
const patience = 500;

/**
 * Starts a Realtime server with Supabase's protocol on a database with the schema `realtime.sql`.
 */
export async function attachRealtime(options: RealtimeOptions): Promise<Realtime> {
  const {
    databaseUrl,
    clock = systemClock,
    backoff = 100,
    mostBuffered = 16_000_000,
    mostIdle = 1_000,
  } = options;
  const log: Log = (line, level) => options.log(logLine(line), level);
  const sql = postgres(databaseUrl, {
    max: policyConnections.overall,
    idle_timeout: 60,
    onnotice: () => {},
    connection: { statement_timeout: 5000 },
  });
  const topics = new TopicRegistry();
  const usage = new Usage(limitsOf(options.plan), clock);
  const hub: Hub = {
    topics,
    usage,
    shares: new Shares(clock),
    authorizer: inTurns(policyAuthorizer(sql)),
    replay: databaseReplay(sql),
    verify: tokenVerifier(options.jwtSecret, options.keys),
    sessions: options.sessions ?? unwatched,
    clock,
    log,
    newId: () => randomBytes(12).toString("base64url"),
    joinBackoff: backoff,
  };
  const partitions = await maintainPartitions(sql, clock, log);
  const messages = await pickUpDatabaseMessages({ databaseUrl, sql, topics, usage, clock, log });
  const batch = new WriteBatch();
  const liveness = new Liveness(clock);
  const connections = new Map<Connection, WebSocket>();
  const forgetSessions = options.sessions?.onEnd((session) => {
    for (const connection of connections.keys()) connection.endSession(session);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestFrame,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    clientTracking: false,
  });

  /** Channels count per person, but a connection without a channel has only an address. */
  function idleOf(address: string): number {
    let idle = 0;
    for (const connection of connections.keys())
      if (connection.address === address && connection.channelCount === 0) idle += 1;
    return idle;
  }

  function accept(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    client: Client & { address: string },
  ): void {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const connection = new Connection(
        hub,
        socketTransport(socket, stream, batch, mostBuffered, log),
        client,
      );
      const watch = liveness.watch({
        ping: () => socket.ping(),
        close: () => connection.disconnect(goingAway, false),
        cut: () => socket.terminate(),
        idle: () => connection.channelCount === 0,
      });
      connections.set(connection, socket);
      socket.on("message", (data, binary) => {
        watch.heardData();
        // `ws` passes a single Buffer unless binaryType is changed.
        if (Buffer.isBuffer(data)) connection.receive(data, binary);
      });
      socket.on("pong", () => watch.heardPong());
      socket.on("error", (error) => log(`realtime: ${error.message}`));
      socket.on("close", () => {
        watch.forget();
        connections.delete(connection);
        connection.end();
      });
    });
  }

  return {
    handleUpgrade(request, stream, head, address = request.socket.remoteAddress ?? "unknown") {
      const handshake = readHandshake(hub, request, options.allowedOrigin);
      if (handshake.ok && idleOf(address) >= mostIdle)
        refuseHandshake(clock, backoff, stream, 429, "Too many connected users");
      else if (handshake.ok) accept(request, stream, head, { ...handshake.client, address });
      else refuseHandshake(clock, backoff, stream, handshake.status, handshake.message);
    },
    handleRequest: (request, caller) => handleBroadcast(hub, request, caller),
    isListening: () => messages.isListening(),
    count: () => ({ connections: connections.size, channels: topics.size }),
    async close() {
      liveness.stop();
      forgetSessions?.();
      partitions.stop();
      sockets.close();
      const open = [...connections];
      const gone = open.map(
        ([, socket]) => new Promise<void>((resolve) => socket.once("close", () => resolve())),
      );
      for (const [connection] of open) connection.disconnect(restarting, true);
      // A client that is gone does not respond to the close frame.
      const cancel = clock.after(patience, () => open.forEach(([, socket]) => socket.terminate()));
      await Promise.all(gone);
      cancel();
      await messages.close();
      await sql.end({ timeout: 2 });
    },
  };
}
