// Loaded into the product by a benchmark: how much processor time its main thread took at the most
// between two ticks of a timer, whatever else the machine had to do. No turn of the event loop took
// longer: between two ticks lie whole turns. A connection to TURN_WATCH is told it, in ms, and what
// comes after that counts anew. Linux's account of the thread is 4 ms late at the most.
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { isMainThread } from "node:worker_threads";

const path = process.env.TURN_WATCH;
// Its child processes have the same environment.
if (path && isMainThread && process.argv[1]?.endsWith("start.mjs")) {
  delete process.env.TURN_WATCH;
  const ran = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  let before = ran();
  let most = 0;
  setInterval(() => {
    const now = ran();
    most = Math.max(most, now - before);
    before = now;
  }, 5).unref();
  rmSync(path, { force: true });
  createServer((socket) => {
    socket.end(String(most));
    most = 0;
  })
    .listen(path)
    .unref();
  process.once("exit", () => rmSync(path, { force: true }));
}
