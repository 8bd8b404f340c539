import { createHash, createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

const megabyte = 1024 * 1024;
let stack: TestBackend;
let ana: Person;
let token: string;
beforeAll(async () => {
  stack = await testBackend({ TRUST_PROXY: "1" });
  ana = await signUp(stack, "Ana");
  token = await ana.accessToken();
  expect((await service(stack).storage.createBucket("papers", { public: false })).error).toBeNull();
  await stack.sql.unsafe(`
    create policy "own folder" on storage.objects for all to authenticated
      using (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)`);
});
afterAll(() => stack.stop());

type Sending = { outgoing: ClientRequest; answer: Promise<{ status: number; text: string }> };

/** Sends the head of a request. The caller sends the body, or none. */
function begin(path: string, method: string, headers: Record<string, string>): Sending {
  const outgoing = request(stack.url, {
    path,
    method,
    agent: false,
    headers: { host: `127.0.0.1:${stack.port}`, ...headers },
  });
  const answer = new Promise<{ status: number; text: string }>((settle, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (incoming: IncomingMessage) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
      incoming.on("end", () => settle({ status: incoming.statusCode ?? 0, text }));
      incoming.on("error", reject);
    });
  });
  answer.catch(() => undefined);
  outgoing.flushHeaders();
  return { outgoing, answer };
}

const key = () => ({ apikey: stack.keys.publishableKey });
const signedIn = () => ({ ...key(), authorization: `Bearer ${token}` });
const large = {
  "content-type": "application/octet-stream",
  "content-length": String(25 * megabyte),
};
const small = { "content-type": "application/json", "content-length": "1000" };

const withBodies = [
  ["POST", "/rest/v1/documents"],
  ["POST", "/rest/v1/rpc/append_events"],
  ["PATCH", "/rest/v1/documents"],
  ["DELETE", "/rest/v1/documents"],
  ["POST", "/auth/v1/token?grant_type=password"],
  ["PUT", "/auth/v1/user"],
  ["POST", "/functions/v1/invite"],
  ["POST", "/realtime/v1/api/broadcast"],
  ["POST", "/realtime/v1/api/broadcast/topic/events/event"],
  ["POST", "/storage/v1/bucket"],
  ["POST", "/storage/v1/object/papers/a.bin"],
  ["PUT", "/storage/v1/object/papers/a.bin"],
  ["POST", "/storage/v1/object/list/files"],
  ["POST", "/storage/v1/object/sign/files/a.bin"],
  ["POST", "/storage/v1/object/upload/sign/files/a.bin"],
  ["DELETE", "/storage/v1/object/papers"],
  ["POST", "/mail/messages.json"],
] as const;

describe("a request with a body", () => {
  // The test sends no byte of a body. A server that waits for the body gives no answer, and the
  // test times out.
  test.each(withBodies)(
    "[DOOR-20] needs a valid key first: %s %s",
    { timeout: 20_000 },
    async (method, path) => {
      const callers: Record<string, string>[] = [
        {},
        { apikey: "sb_publishable_another" },
        { ...key(), authorization: `Bearer ${token}x` },
      ];
      for (const headers of callers) {
        for (const size of [small, large]) {
          const { outgoing, answer } = begin(path, method, { ...size, ...headers });
          expect((await answer).status, JSON.stringify(headers)).toBe(401);
          outgoing.destroy();
        }
      }
    },
  );

  test(
    "[DOOR-20] to a signed address needs a valid signature first",
    { timeout: 20_000 },
    async () => {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const sign = (claims: object, secret: string) => {
        const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
        return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
      };
      const claims = {
        sub: "a.bin",
        bucket: "papers",
        intent: "upload",
        exp: Math.floor(Date.now() / 1000) + 600,
      };
      const secret = stack.keys.jwtSecret;
      const refused = [
        "",
        "x",
        sign(claims, "another secret"),
        sign({ ...claims, exp: 1 }, secret),
        sign({ ...claims, intent: "download" }, secret),
        token,
      ];
      for (const given of refused) {
        const { outgoing, answer } = begin(
          `/storage/v1/object/upload/sign/files/a.bin?token=${given}`,
          "PUT",
          large,
        );
        expect((await answer).status, given).toBe(400);
        outgoing.destroy();
      }
    },
  );

  test.each(withBodies.slice(0, -1))(
    "[DOOR-20] with a public key alone must be short: %s %s",
    { timeout: 20_000 },
    async (method, path) => {
      const { outgoing, answer } = begin(path, method, { ...large, ...key() });
      expect((await answer).status).toBe(413);
      outgoing.destroy();
    },
  );

  test(
    "[DOOR-20] is refused even when sent whole with Connection: close",
    { timeout: 60_000 },
    async () => {
      const refused = Array.from({ length: 20 }, () => {
        const sending = begin("/storage/v1/object/papers/a.bin", "POST", {
          ...large,
          connection: "close",
        });
        sending.outgoing.end(Buffer.alloc(25 * megabyte));
        return sending.answer;
      });
      expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(Array(20).fill(401));
    },
  );

  test("[DOOR-20] that is refused does not block the next one on its connection", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        fetch(`${stack.url}/storage/v1/object/papers/a.bin`, {
          method: "POST",
          body: Buffer.alloc(2 * megabyte),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(401));
    expect((await fetch(`${stack.url}/auth/v1/health`, { headers: key() })).status).toBe(200);
  });
});

/** Returns the sizes of the files in the storage folder, without notes. */
async function stored(): Promise<number[]> {
  const names = await readdir(join(stack.dataDir, "storage"), { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names
      .filter((name) => !name.endsWith(".json"))
      .map((name) => stat(join(stack.dataDir, "storage", name)).catch(() => null)),
  );
  return sizes.flatMap((found) => (found?.isFile() ? [found.size] : []));
}

const content = Buffer.from(
  Uint8Array.from({ length: 10 * megabyte }, (_, index) => (index * 31) % 251),
);

describe("an upload", () => {
  const boundary = "a-boundary";
  const before = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; ` +
      `name="cacheControl"\r\n\r\n3600\r\n--${boundary}\r\nContent-Disposition: ` +
      `form-data; name=""; filename="blob"\r\nContent-Type: ` +
      `image/png\r\n\r\n`,
  );
  const form = Buffer.concat([before, content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  test.each([
    ["bytes", content, "image/png"],
    ["a form", form, `multipart/form-data; boundary=${boundary}`],
  ])("[DOOR-21] is stored as sent: %s", async (name, body, type) => {
    const path = `${ana.user.id}/${name}`;
    const { outgoing, answer } = begin(`/storage/v1/object/papers/${encodeURI(path)}`, "POST", {
      ...signedIn(),
      "content-type": type,
      "content-length": String(body.byteLength),
    });
    const known = new Set(await stored());
    outgoing.write(body.subarray(0, 6 * megabyte));
    // The test holds back the rest until most of the sent bytes are on disk.
    await expect
      .poll(async () => (await stored()).some((size) => size > 5 * megabyte && !known.has(size)), {
        timeout: 30_000,
      })
      .toBe(true);
    outgoing.end(body.subarray(6 * megabyte));
    expect((await answer).status).toBe(200);
    const { data } = await ana.client.storage.from("papers").download(path);
    const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(digest(new Uint8Array((await data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(
      digest(content),
    );
    expect(data?.type).toBe("image/png");
  });

  test("[DOOR-21] that breaks off leaves nothing", async () => {
    const known = (await stored()).length;
    const { outgoing } = begin(`/storage/v1/object/papers/${ana.user.id}/broken.bin`, "POST", {
      ...signedIn(),
      "content-type": "image/png",
      "content-length": String(10 * megabyte),
    });
    outgoing.write(content.subarray(0, 3 * megabyte));
    await expect.poll(async () => (await stored()).length, { timeout: 30_000 }).toBe(known + 1);
    outgoing.destroy();
    await expect.poll(async () => (await stored()).length, { timeout: 30_000 }).toBe(known);
    expect(
      (await ana.client.storage.from("papers").download(`${ana.user.id}/broken.bin`)).error,
    ).not.toBeNull();
  });

  test("[DOOR-4] of more than 25 MB without a length is refused on the way, and leaves nothing", async () => {
    const known = (await stored()).length;
    const { outgoing, answer } = begin(
      `/storage/v1/object/papers/${ana.user.id}/long.bin`,
      "POST",
      {
        ...signedIn(),
        "content-type": "image/png",
        "transfer-encoding": "chunked",
      },
    );
    outgoing.on("error", () => undefined);
    for (let sent = 0; sent < 3; sent += 1) outgoing.write(content);
    expect((await answer).status).toBe(413);
    outgoing.destroy();
    await expect.poll(async () => (await stored()).length, { timeout: 30_000 }).toBe(known);
  });

  test(
    "[DOOR-21] into another person's folder is refused before it is sent",
    { timeout: 20_000 },
    async () => {
      const { outgoing, answer } = begin(
        `/storage/v1/object/papers/${randomUUID()}/a.bin`,
        "POST",
        {
          ...signedIn(),
          ...large,
        },
      );
      expect((await answer).status).toBeGreaterThanOrEqual(400);
      outgoing.destroy();
    },
  );
});

describe("[DOOR-22] bodies that do not arrive", () => {
  const path = "/rest/v1/rpc/stream_topic";
  const json = (address: string, headers: Record<string, string>, length: number) => ({
    ...headers,
    "x-forwarded-for": address,
    "content-type": "application/json",
    "content-length": String(length),
  });
  /** Calls a known function with a body of this length. */
  const ask = (address: string, headers: Record<string, string>, length = 0) => {
    const body = JSON.stringify({ stream: randomUUID() }).padEnd(length);
    const sending = begin(path, "POST", json(address, headers, body.length));
    sending.outgoing.end(body);
    return sending.answer.then(({ status }) => status);
  };
  const hold = (address: string, headers: Record<string, string>) =>
    Array.from({ length: 32 }, () => {
      const sending = begin(path, "POST", json(address, headers, megabyte));
      sending.outgoing.write("{");
      return sending;
    });
  const signIn = (address: string) => {
    const body = JSON.stringify({ email: ana.email, password: ana.password });
    const sending = begin(
      "/auth/v1/token?grant_type=password",
      "POST",
      json(address, key(), body.length),
    );
    sending.outgoing.end(body);
    return sending.answer.then(({ status }) => status);
  };

  test("of an account keep it waiting, and no other behind its address", async () => {
    const mallory = await signUp(stack, "Mallory");
    const asMallory = { ...key(), authorization: `Bearer ${await mallory.accessToken()}` };
    const idle = hold("10.7.7.7", asMallory);
    await expect.poll(() => stack.bodies.held(mallory.user.id)).toBe(32 * megabyte);
    const waiting = ask("10.7.7.8", asMallory, 100_000);
    await expect.poll(() => stack.bodies.waiting).toBe(1);
    expect(await ask("10.7.7.7", asMallory)).toBe(200);
    expect(await ask("10.7.7.7", signedIn(), 100_000)).toBe(200);
    expect(await signIn("10.7.7.7")).toBe(200);
    expect(stack.bodies.waiting).toBe(1);
    idle[0]?.outgoing.destroy();
    expect(await waiting).toBe(200);
    for (const { outgoing } of idle) outgoing.destroy();
    await expect.poll(() => stack.bodies.held(mallory.user.id)).toBe(0);
  });

  test("without an account delay no account behind their address, and no short body", async () => {
    const idle = hold("10.7.7.9", key());
    await expect.poll(() => stack.bodies.held("10.7.7.9")).toBe(32 * megabyte);
    expect(await ask("10.7.7.9", signedIn(), 100_000)).toBe(200);
    expect(await signIn("10.7.7.9")).toBe(200);
    expect(stack.bodies.waiting).toBe(0);
    for (const { outgoing } of idle) outgoing.destroy();
    await expect.poll(() => stack.bodies.held("10.7.7.9")).toBe(0);
  });

  test("are cut off with 408 below 1 kB a second", { timeout: 60_000 }, async () => {
    const sent = [
      begin(path, "POST", json("10.7.7.10", signedIn(), megabyte)),
      begin(`/storage/v1/object/papers/${ana.user.id}/slow.bin`, "POST", {
        ...signedIn(),
        "content-type": "image/png",
        "content-length": String(megabyte),
      }),
    ];
    for (const { outgoing } of sent) outgoing.write("{");
    const statuses = await Promise.all(sent.map(async ({ answer }) => (await answer).status));
    expect(statuses).toEqual([408, 408]);
    for (const { outgoing } of sent) outgoing.destroy();
    await expect.poll(() => stack.bodies.held(ana.user.id)).toBe(0);
  });
});
