import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentRequest } from "../operations/log";
import { handOver } from "./hand-over";
import type { Outcome, PageLine } from "./hand-over";
import { pageServer } from "./page-server";

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

let folder: string;
let line: PageLine;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-hand-over-"));
  line = {
    socketPath: join(folder, "1"),
    secret: "the-secret",
    agent: new Agent({ keepAlive: true }),
  };
});
afterEach(async () => {
  line.agent.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((settle) => server.close(settle));
  }
  await rm(folder, { recursive: true, force: true });
});

const faults: unknown[] = [];

/** Starts a page process with `handle` behind a main process. Returns its URL and outcomes. */
async function processes(handle: Handle) {
  const pages = pageServer(
    async (incoming, outgoing) => handle(incoming, outgoing),
    line.secret,
    (error) => faults.push(error),
  );
  const outcomes: Outcome[] = [];
  const main = createServer((incoming, outgoing) => {
    outgoing.setHeader("x-request-id", "id-of-the-request");
    outgoing.setHeader("strict-transport-security", "max-age=1");
    void handOver(incoming, outgoing, line, "id-of-the-request").then((outcome) => {
      outcomes.push(outcome);
      if (outcome === "lost") outgoing.writeHead(503).end();
    });
  });
  servers.push(pages, main);
  await new Promise<void>((settle) => pages.listen(line.socketPath, settle));
  await new Promise<void>((settle) => main.listen(0, "127.0.0.1", settle));
  const { port } = main.address() as AddressInfo;
  return { pages, outcomes, port, url: `http://127.0.0.1:${port}` };
}

/** Creates a promise that the test resolves. */
function signal<T>() {
  let settle: (value: T) => void = () => undefined;
  const given = new Promise<T>((done) => (settle = done));
  return { given, settle };
}

describe("[START-51] a page from another process", () => {
  it("is requested with the caller's headers, without hop-by-hop ones", async () => {
    const seen = signal<IncomingMessage>();
    const { port } = await processes((incoming, outgoing) => {
      seen.settle(incoming);
      outgoing.end();
    });
    const answered = signal<IncomingMessage>();
    const asked = request({
      port,
      path: "/d/1?version=2&x=%2F",
      headers: {
        host: "example.org",
        cookie: "a=1; b=ä",
        "x-palimpsest-handover": "forged",
        "x-forwarded-proto": "https",
        te: "trailers",
      },
    });
    asked.once("response", answered.settle).end();
    (await answered.given).resume();
    const { url, method, headers } = await seen.given;
    expect({ url, method }).toEqual({ url: "/d/1?version=2&x=%2F", method: "GET" });
    expect(headers).toEqual({
      host: "example.org",
      cookie: "a=1; b=ä",
      "x-forwarded-proto": "https",
      "x-forwarded-for": "127.0.0.1",
      connection: "keep-alive",
    });
  });

  it("is answered with every header of the page beside those of the main process", async () => {
    const { url } = await processes((_incoming, outgoing) => {
      outgoing.setHeader("Set-Cookie", ["a=1; Secure", "b=2"]);
      outgoing.setHeader("Strict-Transport-Security", "max-age=31536000");
      outgoing.setHeader("Content-Security-Policy", "default-src 'none'");
      outgoing.writeHead(307, { Location: "/sign-in" });
      outgoing.end("words");
    });
    const answer = await fetch(url, { redirect: "manual" });
    expect(answer.status).toBe(307);
    expect(answer.headers.getSetCookie()).toEqual(["a=1; Secure", "b=2"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      location: "/sign-in",
      "content-security-policy": "default-src 'none'",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": "id-of-the-request",
    });
    expect(await answer.text()).toBe("words");
  });

  it("keeps the length of a HEAD and the emptiness of a 304", async () => {
    const { url } = await processes((incoming, outgoing) => {
      if (incoming.method === "HEAD") outgoing.writeHead(200, { "content-length": "5" }).end();
      else outgoing.writeHead(304, { etag: '"x"' }).end();
    });
    const head = await fetch(url, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe("5");
    const unchanged = await fetch(url, { headers: { "if-none-match": '"x"' } });
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, '"x"']);
  });

  it("streams a large body both ways", async () => {
    const { url } = await processes((incoming, outgoing) => {
      outgoing.write(Buffer.alloc(3 << 20, 1));
      incoming.pipe(outgoing);
    });
    const body = Buffer.alloc(5 << 20, 2);
    const answer = await fetch(url, { method: "POST", body });
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(new Uint8Array(await answer.arrayBuffer()))).toBe(
      hash(Buffer.concat([Buffer.alloc(3 << 20, 1), body])),
    );
  });

  it("streams its beginning before its end is written", async () => {
    const read = signal<void>();
    const { url } = await processes(async (_incoming, outgoing) => {
      outgoing.write("first");
      await read.given;
      outgoing.end("last");
    });
    const reader = (await fetch(url)).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe("first");
    read.settle();
    const last = await reader?.read();
    expect(Buffer.from(last?.value ?? []).toString()).toBe("last");
  });

  it("reuses one connection for consecutive callers", async () => {
    const sockets = new Set<Socket>();
    const { url } = await processes((incoming, outgoing) => {
      sockets.add(incoming.socket);
      outgoing.end("words");
    });
    for (let round = 0; round < 5; round += 1) await (await fetch(url)).text();
    expect(sockets.size).toBe(1);
  });

  it("is aborted when its caller disconnects, before or during the answer", async () => {
    for (const begins of [false, true]) {
      const [came, left] = [signal<void>(), signal<void>()];
      const { port, outcomes } = await processes((_incoming, outgoing) => {
        outgoing.once("close", () => left.settle());
        if (begins) outgoing.write("first");
        came.settle();
      });
      const caller = connect(port, "127.0.0.1");
      caller.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await came.given;
      caller.destroy();
      await left.given;
      await expect.poll(() => outcomes).toEqual(["over"]);
      for (const server of servers.splice(0)) {
        server.closeAllConnections();
        await new Promise((settle) => server.close(settle));
      }
      await rm(line.socketPath, { force: true });
    }
  });

  it("is lost when the process ends before the answer, and cut off when it ends within", async () => {
    const { url, outcomes } = await processes((incoming, outgoing) => {
      if (incoming.url === "/within")
        outgoing.writeHead(200, { "content-length": "100" }).write("first");
      setImmediate(() => incoming.socket.destroy());
    });
    expect((await fetch(`${url}/before`)).status).toBe(503);
    expect((await fetch(`${url}/before`, { method: "POST", body: "form" })).status).toBe(503);
    await expect(fetch(`${url}/within`).then((answer) => answer.text())).rejects.toThrow();
    expect(outcomes.slice(0, 2)).toEqual(["lost", "lost"]);
  });

  it("is lost when no process listens", async () => {
    const { url, pages, outcomes } = await processes(() => undefined);
    await new Promise((settle) => pages.close(settle));
    expect((await fetch(url)).status).toBe(503);
    expect(outcomes).toEqual(["lost"]);
  });
});

describe("[START-50] the process that renders pages", () => {
  it("refuses a request without the secret", async () => {
    let calls = 0;
    await processes((_incoming, outgoing) => {
      calls += 1;
      outgoing.end();
    });
    for (const given of [undefined, "another-one id", "", "the-secre"]) {
      const status = await new Promise((settle) => {
        const headers = given === undefined ? {} : { "x-palimpsest-handover": given };
        request({ socketPath: line.socketPath, headers }, (answer) => {
          answer.resume();
          settle(answer.statusCode);
        }).end();
      });
      expect(status).toBe(403);
    }
    expect(calls).toBe(0);
  });

  it("logs under the request's id, and answers 500 when rendering throws", async () => {
    const ids: unknown[] = [];
    const { url } = await processes(() => {
      ids.push(currentRequest());
      throw new Error("fault");
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
    expect(ids).toEqual(["id-of-the-request"]);
    expect(faults.at(-1)).toMatchObject({ message: "fault" });
  });

  it("accepts headers as long as the main process does", async () => {
    const { port } = await processes((_incoming, outgoing) => void outgoing.end("words"));
    const answer = await new Promise<IncomingMessage>((settle) =>
      request({ port, headers: { cookie: "x".repeat(15_900) } }, settle).end(),
    );
    expect([answer.statusCode, await text(answer)]).toEqual([200, "words"]);
  });
});
