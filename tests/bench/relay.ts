import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { pushFrame } from "@/supabase/local/realtime/fake-client";
import { keys } from "@/tests/realtime/service";
import type { Ports } from "./servers/relay-server";

const seconds = Number(process.env.SECONDS ?? 6);
const rounds = Number(process.env.ROUNDS ?? 5);
const people = (process.env.PEOPLE ?? "2,10,50").split(",").map(Number);
const perSecond = 5;
/** The approximate size of a keystroke as a Yjs update in base64. */
const keystroke = 60;
const topic = "realtime:document:bench";

type Kind = "bare" | "ours";
type Client = { type(): void; close(): Promise<void> };

async function connect(
  kind: Kind,
  ports: Ports,
  heard: (milliseconds: number) => void,
): Promise<Client> {
  const url =
    kind === "bare"
      ? `ws://127.0.0.1:${ports.bare}`
      : `ws://127.0.0.1:${ports.ours}/realtime/v1/websocket?vsn=2.0.0&apikey=${keys.publishableKey}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  if (kind === "ours") {
    const payload = { config: { private: true }, access_token: ports.token };
    socket.send(JSON.stringify(["1", "1", topic, "phx_join", payload]));
    const [answer] = await once(socket, "message");
    if (!String(answer).includes('"status":"ok"')) throw new Error(`not joined: ${String(answer)}`);
  }
  socket.on("message", (data) => {
    if (!Buffer.isBuffer(data)) return;
    const now = performance.now();
    if (kind === "ours") {
      if (data[0] === 4) heard(now - data.readDoubleBE(data.length - keystroke));
      return;
    }
    for (let at = 0; at < data.length; at += 4 + data.readUInt32BE(at))
      heard(now - data.readDoubleBE(at + 4));
  });
  const payload = Buffer.alloc(keystroke);
  const frame =
    kind === "bare"
      ? payload
      : pushFrame({ joinRef: "1", ref: "2", topic, event: "update", encoding: 0, payload });
  return {
    type() {
      // The time is stamped last and in place, because a client's encoding is not measured.
      frame.writeDoubleBE(performance.now(), frame.length - keystroke);
      socket.send(frame);
    },
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function median(values: number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

type Latency = { p50: number; p99: number };

/**
 * Measures both servers at the same time with as many clients each, so that other load on the
 * machine affects both.
 */
async function round(count: number, ports: Ports): Promise<Record<Kind, Latency>> {
  const heard: Record<Kind, number[]> = { bare: [], ours: [] };
  const typed: Record<Kind, number> = { bare: 0, ours: 0 };
  let measuring = false;
  const timers = new Map<Client, NodeJS.Timeout>();
  const interval = 1000 / perSecond;
  for (let index = 0; index < count; index += 1) {
    for (const kind of ["bare", "ours"] as const) {
      const client = await connect(kind, ports, (ms) => void (measuring && heard[kind].push(ms)));
      let strokes = index;
      const press = () => {
        if (measuring) typed[kind] += 1;
        strokes += 1;
        client.type();
        // Never in step with the other clients, and the same for both servers.
        timers.set(
          client,
          setTimeout(press, interval * (0.75 + ((index * 7919 + strokes * 104_729) % 1000) / 2000)),
        );
      };
      timers.set(
        client,
        setTimeout(press, (interval * (index + (kind === "ours" ? 0.5 : 0))) / count),
      );
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  measuring = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  for (const timer of timers.values()) clearTimeout(timer);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await Promise.all([...timers.keys()].map((client) => client.close()));
  const latency = (kind: Kind): Latency => {
    const expected = typed[kind] * (count - 1);
    const edge = count * count;
    if (Math.abs(heard[kind].length - expected) > edge)
      throw new Error(`${kind}: heard ${heard[kind].length} of ${expected}`);
    const sorted = heard[kind].sort((a, b) => a - b);
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
  };
  return { bare: latency("bare"), ours: latency("ours") };
}

const server = fork(fileURLToPath(new URL("./servers/relay-server.ts", import.meta.url)), {
  execArgv: ["--import", "tsx"],
});
const ports = await new Promise<Ports>((resolve, reject) => {
  server.once("message", (message) => resolve(message as Ports)); // The only message that the server sends.
  server.once("exit", (code) => reject(new Error(`the server ended with ${String(code)}`)));
});

console.log(
  `Keystroke to other client through the server, ms: ${rounds} rounds of ${seconds} s, ${perSecond} a second each`,
);
for (const count of people) {
  const pairs: Record<Kind, Latency>[] = [];
  for (let index = 0; index < rounds; index += 1) pairs.push(await round(count, ports));
  const line = (name: "p50" | "p99") => {
    const bare = median(pairs.map((pair) => pair.bare[name]));
    const ours = median(pairs.map((pair) => pair.ours[name]));
    const ratio = median(pairs.map((pair) => pair.ours[name] / pair.bare[name]));
    return `${name} bare ${bare.toFixed(2)} ours ${ours.toFixed(2)} ratio ${ratio.toFixed(2)}`;
  };
  console.log(`N=${count}  ${line("p50")}  ${line("p99")}`);
}
server.disconnect();
