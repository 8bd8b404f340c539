import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { keys, secret, startDatabase, startService } from "@/tests/realtime/service";

export type Ports = { bare: number; ours: number; token: string };

/** Starts the baseline: every socket receives everything, unchecked, in one frame per turn. */
async function startBareRelay(): Promise<number> {
  const server = createServer();
  const sockets = new Set<WebSocket>();
  const waiting = new Map<WebSocket, Buffer[]>();
  new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("message", (data) => {
      if (!Buffer.isBuffer(data)) return;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      if (waiting.size === 0) setImmediate(flush);
      for (const other of sockets) {
        if (other === socket) continue;
        const queue = waiting.get(other);
        if (queue === undefined) waiting.set(other, [length, data]);
        else queue.push(length, data);
      }
    });
  });
  function flush(): void {
    for (const [socket, messages] of waiting) socket.send(Buffer.concat(messages));
    waiting.clear();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const database = await startDatabase();
const service = await startService(database, { jwtSecret: secret, keys });
await service.sql.unsafe(`
  create policy read on realtime.messages for select to authenticated using (true);
  create policy write on realtime.messages for insert to authenticated with check (true);
`);
const ports: Ports = {
  bare: await startBareRelay(),
  ours: Number(new URL(service.url).port),
  token: service.token(),
};
process.send?.(ports);
process.on("disconnect", () => {
  void service
    .stop()
    .then(() => database.stop())
    .then(() => process.exit(0));
});
