import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";
import type { Caller } from "./callers";

const frame = z.tuple([z.unknown(), z.unknown(), z.string(), z.string(), z.unknown()]);
const reply = z.object({ status: z.string() });

export type Socket = {
  /** All data received, frame by frame. */
  frames: Buffer[];
  /** Joins a private channel, and returns whether the join was accepted. */
  join(topic: string): Promise<boolean>;
  /** Sends on a channel, joined or not, and waits for an answer or the end of the socket. */
  send(topic: string, event: string, payload: object): Promise<boolean>;
  close(): void;
};

/** Opens a socket as this caller, or returns null if the server refuses. */
export async function openSocket(url: string, { socket }: Caller): Promise<Socket | null> {
  const address = `${url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${socket.key}`;
  const connection = new WebSocket(address);
  connection.on("error", () => undefined);
  const opened = await Promise.race([
    once(connection, "open").then(() => true),
    once(connection, "unexpected-response").then(() => false),
    once(connection, "close").then(() => false),
  ]).catch(() => false);
  if (!opened) return null;
  const frames: Buffer[] = [];
  const waiting = new Map<string, (accepted: boolean) => void>();
  connection.on("message", (data) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data));
    frames.push(bytes);
    const read = frame.safeParse(parsed(bytes));
    if (!read.success || read.data[3] !== "phx_reply") return;
    const status = reply.safeParse(read.data[4]);
    waiting.get(String(read.data[1]))?.(status.success && status.data.status === "ok");
  });
  const closed = once(connection, "close").then(() => false);
  let last = 0;
  const say = (topic: string, event: string, payload: object) => {
    last += 1;
    const ref = String(last);
    const answered = new Promise<boolean>((settle) => waiting.set(ref, settle));
    // The server identifies a joined channel by its join message.
    const joinRef = event === "phx_join" ? ref : null;
    connection.send(JSON.stringify([joinRef, ref, `realtime:${topic}`, event, payload]));
    return Promise.race([answered, closed]);
  };
  return {
    frames,
    join: (topic) =>
      say(topic, "phx_join", {
        config: {
          broadcast: { ack: true, self: false },
          presence: { key: "", enabled: true },
          postgres_changes: [],
          private: true,
        },
        ...(socket.token !== null && { access_token: socket.token }),
      }),
    send: say,
    close: () => connection.close(),
  };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
