import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callStubbornly, freePort } from "./stubborn-client.fixture";
import { openReverseProxy, refuseUpgrade } from "./reverse-proxy";
import type { ReverseProxy, Router } from "./reverse-proxy";
import { sendResponse } from "./http";
import { readSettings } from "../settings";

let reverseProxy: ReverseProxy;
let port: number;
const minute = 60_000;
const patience = { headers: minute, request: minute, check: 50, answer: 500, idle: 500 };

const logged: string[] = [];
const openProxy = (waits?: typeof patience, most?: number, mostOpen?: number) =>
  openReverseProxy(
    readSettings({ PORT: String(port), HOST: "127.0.0.1" }, [], "."),
    (line) => void logged.push(line),
    { request: () => undefined },
    waits,
    most,
    mostOpen,
  );

beforeEach(async () => {
  port = await freePort();
  reverseProxy = await openProxy(patience);
});
afterEach(() => reverseProxy.close());

function letIn(given: Partial<Router>) {
  const nothing = async () => undefined;
  const readiness = async () => ({ ready: true, checks: {} });
  reverseProxy.open({ request: nothing, upgrade: nothing, readiness, ...given });
}

/**
 * Sends the pieces at 20 ms intervals, and repeats the last piece. Returns the received text once
 * the proxy closes the connection.
 */
function callSlowly(...pieces: string[]): Promise<string> {
  return new Promise((hungUp) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    let sent = 0;
    const trickle = setInterval(() => {
      const piece = pieces[Math.min(sent++, pieces.length - 1)];
      if (piece !== undefined && socket.writable) socket.write(piece);
    }, 20);
    socket.on("data", (bytes) => (answer += bytes.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(trickle);
      hungUp(answer);
    });
  });
}

describe("[DOOR-6] a slow caller", () => {
  beforeEach(async () => {
    await reverseProxy.close();
    reverseProxy = await openProxy({ ...patience, headers: 150, request: 300 });
  });

  test("is disconnected while sending nothing", async () => {
    expect(await callSlowly()).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test("is disconnected while sending headers", async () => {
    expect(await callSlowly("GET / HTTP/1.1\r\nHost: localhost\r\n", "X-Slow: 1\r\n")).toContain(
      "408",
    );
  });

  test("is disconnected while sending a body", async () => {
    const answer = await callSlowly(
      "POST /auth/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
      "x",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (408|503)/);
  });
});

test("[DOOR-28] tells callers to keep a connection for longer than proxies keep theirs", async () => {
  await reverseProxy.close();
  reverseProxy = await openProxy();
  letIn({ request: async (_incoming, outgoing) => void outgoing.end("let in") });
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

test("[DOOR-28] closes idle connections, and no others, when too many are open", async () => {
  await reverseProxy.close();
  reverseProxy = await openProxy(undefined, 2);
  const asking = (path: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const answer = new Promise<string>((come) =>
      socket.once("data", (bytes) => come(String(bytes))),
    );
    return { socket, answer };
  };
  const long = new Promise<ServerResponse>((begun) =>
    letIn({
      request: async (incoming, outgoing) =>
        incoming.url === "/long" ? begun(outgoing) : void outgoing.end("let in"),
    }),
  );
  const resting = asking("/");
  const closed = new Promise((settle) => resting.socket.once("close", settle));
  await resting.answer;
  const busy = asking("/long");
  const outgoing = await long;
  const third = asking("/");
  await closed;
  expect(await third.answer).toContain("let in");
  outgoing.end("late");
  expect(await busy.answer).toContain("late");
  for (const { socket } of [busy, third]) socket.destroy();
});

const large = 20 * 1024 * 1024;
/** Creates a response larger than the system's buffer for one connection. */
const largeAnswer = () => new Response(new Uint8Array(large));

/** Sends requests on a socket that reads nothing until the test resumes it. */
function ask(): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET /rest/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return socket;
}

/** Answers every request with `answer`, and resolves when the first response has ended. */
function answering(
  answer: (outgoing: ServerResponse) => Promise<void>,
): Promise<{ whole: boolean }> {
  return new Promise((settle) => {
    letIn({
      async request(_incoming, outgoing) {
        outgoing.once("close", () => settle({ whole: outgoing.writableFinished }));
        await answer(outgoing);
      },
    });
  });
}

/** Reads up to 64 kB every few milliseconds; returns the number of bytes received. */
async function readSlowly(socket: Socket, pause: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += Buffer.from(chunk).byteLength;
    await delay(pause);
  }
  return bytes;
}

describe("[DOOR-23] an answer", () => {
  test("that is not read is aborted", async () => {
    const over = answering((outgoing) => sendResponse(largeAnswer(), outgoing));
    const socket = ask();
    expect(await over).toEqual({ whole: false });
    socket.destroy();
  });

  test("that is not read is aborted, also if it took long to make", async () => {
    const over = answering(async (outgoing) => {
      await delay(patience.answer * 2.5);
      await sendResponse(largeAnswer(), outgoing);
    });
    const socket = ask();
    expect(await over).toEqual({ whole: false });
    socket.destroy();
  });

  test("that is read slowly arrives whole", async () => {
    // The system buffers megabytes, so the sender pauses while a slow reader drains the buffer.
    const answer = patience.answer * 4;
    await reverseProxy.close();
    reverseProxy = await openProxy({ ...patience, answer });
    const over = answering((outgoing) => sendResponse(largeAnswer(), outgoing));
    const begun = performance.now();
    expect(await readSlowly(ask(), 10)).toBeGreaterThan(large);
    expect(performance.now() - begun).toBeGreaterThan(answer);
    expect(await over).toEqual({ whole: true });
  });

  test("that takes long to make, or pauses, arrives whole", async () => {
    const over = answering(async (outgoing) => {
      await delay(patience.answer * 2.5);
      outgoing.write("one ");
      await delay(patience.answer * 2.5);
      outgoing.end("two");
    });
    const socket = ask();
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/one [^]*two/);
    expect(await over).toEqual({ whole: true });
  });
});

test("[DOOR-23] an idle WebSocket stays open", async () => {
  letIn({
    async upgrade(_incoming, socket) {
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      );
      socket.once("end", () => socket.end()).resume();
    },
  });
  const client = connect(port, "127.0.0.1");
  client.write(upgrade());
  let isOver = false;
  client.once("close", () => (isOver = true));
  await new Promise((answered) => client.on("data", answered));
  await delay(patience.answer * 2.5);
  expect(isOver).toBe(false);
  client.end();
});

function upgrade(...headers: string[]): string {
  return (
    [
      "GET /realtime/v1/websocket HTTP/1.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      ...(headers.length > 0 ? headers : ["Host: localhost"]),
    ].join("\r\n") + "\r\n\r\n"
  );
}

describe("[DOOR-24] a refused socket is closed, though its client does not end it", () => {
  const notFound = () =>
    letIn({ upgrade: async (_incoming, socket) => refuseUpgrade(socket, "404 Not Found") });

  test.each([
    ["while starting", "503", () => undefined, upgrade()],
    ["under a wrong host", "421", notFound, upgrade("Host: evil.example")],
    [
      "from another site",
      "403",
      notFound,
      upgrade("Host: localhost", "Origin: http://evil.example"),
    ],
    ["at no address", "404", notFound, upgrade()],
  ])("%s: %s", async (_when, status, prepare, request) => {
    prepare();
    expect(await callStubbornly(port, request)).toContain(`HTTP/1.1 ${status}`);
  });
});

test.each(["http://evil.example/", "http://localhost/", "http:/x", "*"])(
  "[DOOR-40] a request for %s is refused",
  async (target) => {
    const asked: (string | undefined)[] = [];
    letIn({
      async request(incoming, outgoing) {
        asked.push(incoming.url);
        outgoing.end("let in");
      },
      async upgrade(incoming, socket) {
        asked.push(incoming.url);
        socket.end("let in");
      },
    });
    const lines = ["Host: localhost", "Connection: close"].join("\r\n");
    const request = `GET ${target} HTTP/1.1\r\n${lines}\r\n\r\n`;
    for (const text of [request, upgrade().replace("/realtime/v1/websocket", target)])
      expect(await callStubbornly(port, text)).toMatch(/^HTTP\/1\.1 400/);
    expect(asked).toEqual([]);
  },
);

test.each([
  ["two hosts", 400, ["Host: evil.example"]],
  ["the same host twice", 400, ["host: localhost"]],
  ["101 headers", 431, Array.from({ length: 100 }, (_, index) => `X-${index}: 1`)],
])("[DOOR-41] refuses a request with %s", async (_name, status, headers) => {
  letIn({ request: async () => expect.unreachable() });
  const lines = ["GET / HTTP/1.1", "Host: localhost", ...headers, "", ""];
  expect(await callSlowly(lines.join("\r\n"), "")).toContain(`HTTP/1.1 ${status} `);
});

test("[DOOR-41] refuses an upgrade with two hosts", async () => {
  letIn({ upgrade: async () => expect.unreachable() });
  const lines = ["GET / HTTP/1.1", "Host: localhost", "Host: evil.example"];
  const upgrade = ["Connection: upgrade", "Upgrade: websocket", "", ""];
  expect(await callSlowly([...lines, ...upgrade].join("\r\n"), "")).toContain("400 Bad Request");
});

describe("[DOOR-29] sockets above the limit of open files", () => {
  const held: Socket[] = [];
  const hold = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await new Promise((settle) => socket.once("connect", settle));
    held.push(socket);
  };
  beforeEach(async () => {
    await reverseProxy.close();
    reverseProxy = await openProxy({ ...patience, idle: minute }, undefined, 5);
    logged.length = 0;
  });
  afterEach(() => {
    for (const socket of held.splice(0)) socket.destroy();
  });

  test("are refused with a sentence, which is logged once, until others end", async () => {
    let reached = 0;
    letIn({
      request: async (_, outgoing) => {
        reached += 1;
        await sendResponse(new Response("here"), outgoing);
      },
    });
    const get = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    for (let socket = 0; socket < 5; socket += 1) await hold();
    for (const more of ["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"])
      expect(await callSlowly(`${get}${more}\r\n`)).toMatch(
        /^HTTP\/1\.1 503 [^]*Retry-After: 5[^]*as many connections as it can hold/,
      );
    expect(reached).toBe(0);
    expect(logged.filter((line) => line.includes("ulimit -n"))).toHaveLength(1);

    for (const socket of held.splice(0)) socket.destroy();
    await expect.poll(() => callSlowly(`${get}Connection: close\r\n\r\n`)).toContain("here");
    expect(reached).toBe(1);
  });
});
