import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionCookies } from "@/tests/support/writers/pages";
import { signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";
import type { RawCall } from "@/tests/support/product/raw";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

let stack: Stack;
let ana: Person;
beforeAll(async () => {
  // The product's own limits instead of the raised limits of other tests.
  stack = await startStack({ env: { AUTH_RATE_LIMIT: "" } });
  ana = await signUp(stack, "Ana");
});
afterAll(() => stack.dispose());

const at = (path: string, call: RawCall = {}) => {
  const headers = { host: `127.0.0.1:${stack.port}`, ...call.headers };
  return raw(`${stack.url}${path}`, { ...call, headers });
};
const key = () => ({ apikey: stack.keys.publishableKey });

describe("the reverse proxy", () => {
  test.each(["TRACE", "PROPFIND", "LOCK"])("[DOOR-25] answers %s with 405", async (method) => {
    for (const path of ["/", "/auth/v1/user", "/rest/v1/documents", "/storage/v1/bucket"]) {
      const { status, headers } = await at(path, { method, headers: key() });
      expect(status, path).toBe(405);
      expect(headers.allow).toContain("GET");
    }
  });

  test("[DOOR-26] lets no cache store a redirect or an error", async () => {
    const { status, headers } = await at(`/d/${"0".repeat(8)}`);
    expect([status, headers["cache-control"]]).toEqual([307, "private, no-store"]);
    const cookies = await sessionCookies(ana);
    const session = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
    for (const [path, more] of [
      [`/d/${randomUUID()}`, session],
      ["/nothing", session],
      ["/_next/static/nothing.js", {}],
      ["/rest/v1/nothing", { ...key(), authorization: `Bearer ${await ana.accessToken()}` }],
      ["/storage/v1/object/files/nothing", key()],
    ] as const) {
      const { status, headers } = await at(path, { headers: more });
      expect([path, Math.floor(status / 100)]).toEqual([path, 4]);
      expect(headers["cache-control"] ?? "", path).toMatch(/no-store/);
    }
  });

  test.each([
    ["GET", "/rest/v1/documents?order=%00", ""],
    ["GET", "/storage/v1/object/a%00b/c", ""],
    ["POST", "/storage/v1/object/sign/files/x", "{"],
    ["POST", "/storage/v1/object/move", "["],
    ["POST", "/storage/v1/object/list/files", "nonsense"],
    ["POST", "/storage/v1/bucket", "\u0000"],
    ["DELETE", "/storage/v1/bucket/files", "{"],
    ["POST", "/storage/v1/object/%E0%A4%A/x", "--a\r\n"],
  ])("[API-19] answers %s %s %s by 400", async (method, path, body) => {
    const headers = {
      ...key(),
      authorization: `Bearer ${await ana.accessToken()}`,
      "content-type": body.startsWith("--")
        ? "multipart/form-data; boundary=a"
        : "application/json",
    };
    expect((await at(path, { method, headers, body })).status).toBe(400);
  });

  test.each(["/", "/rest/v1/", "/auth/v1/health", "/mail/messages.json", "/_next/static/x.js"])(
    "[DOOR-1] refuses %s under a foreign host name",
    async (path) => {
      for (const host of [
        "evil.example",
        `evil.example:${stack.port}`,
        "169.254.169.254",
        `localhost.evil.example:${stack.port}`,
      ]) {
        expect((await at(path, { headers: { ...key(), host } })).status, host).toBe(421);
      }
    },
  );

  test.each(["/icon.svg", "/robots.txt", "/_next/static/x.js"])(
    "[DOOR-7] %s is restricted to its content type",
    async (path) => {
      const { headers } = await at(path);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
    },
  );

  test("[DOOR-7] redirects the old icon address, and turns robots away", async () => {
    expect((await at("/favicon.ico")).headers.location).toBe("/icon.svg");
    expect((await at("/robots.txt")).text).toContain("Disallow: /");
  });

  test("[DOOR-2] refuses another site's requests on the person's behalf", async () => {
    const body = JSON.stringify({ email: ana.email });
    for (const headers of [
      { origin: "null" },
      { origin: "http://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const call = {
        method: "POST",
        headers: { ...key(), ...headers, "content-type": "text/plain" },
        body,
      };
      for (const path of [
        "/auth/v1/recover",
        "/rest/v1/rpc/append_events",
        "/account",
        "/functions/v1/x",
      ]) {
        expect((await at(path, call)).status, `${path} ${JSON.stringify(headers)}`).toBe(403);
      }
    }
  });

  test("[DOOR-2] opens no socket for another site's page, and none without a key", async () => {
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
    };
    const path = `/realtime/v1/websocket?apikey=${stack.keys.publishableKey}&vsn=2.0.0`;
    const own = `http://127.0.0.1:${stack.port}`;
    expect((await at(path, { headers: { ...upgrade, origin: own } })).status).toBe(101);
    expect((await at(path, { headers: upgrade })).status).toBe(101);
    expect(
      (await at(path, { headers: { ...upgrade, origin: "http://evil.example" } })).status,
    ).toBe(403);
    expect((await at(path, { headers: { ...upgrade, origin: "null" } })).status).toBe(403);
    expect((await at(path, { headers: { ...upgrade, host: "evil.example" } })).status).toBe(421);
    expect(
      (await at("/realtime/v1/websocket?vsn=2.0.0", { headers: { ...upgrade, origin: own } }))
        .status,
    ).toBe(401);
    expect((await at("/somewhere/else", { headers: { ...upgrade, origin: own } })).status).toBe(
      404,
    );
  });

  test("[DOOR-3] a page still asks to sign in when the request claims to have passed the proxy", async () => {
    const plain = await at("/account");
    const steered = await at("/account", {
      headers: {
        "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
        "x-middleware-next": "1",
        "x-forwarded-host": "evil.example",
        "x-proxy-path": '/"><script>alert(1)</script>',
      },
    });
    expect(steered.status).toBe(plain.status);
    expect(steered.headers.location).toBe(plain.headers.location);
    expect(`${steered.headers.location} ${steered.text}`).not.toMatch(/evil\.example|alert\(1\)/);
  });

  test("[DOOR-4] refuses a body over 1 MB, announced or not, and keeps working", async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
    const headers = { ...key(), "content-type": "application/json" };
    const path = "/rest/v1/rpc/append_events";
    expect(
      (
        await at(path, {
          method: "POST",
          headers: { ...headers, "content-length": String(large.byteLength) },
          body: large,
        })
      ).status,
    ).toBe(413);
    expect(
      (
        await at(path, {
          method: "POST",
          headers: { ...headers, "transfer-encoding": "chunked" },
          body: large,
        })
      ).status,
    ).toBe(413);
    expect(
      (
        await at("/account", {
          method: "POST",
          headers: { "content-length": String(large.byteLength) },
          body: large,
        })
      ).status,
    ).toBe(413);
    expect((await at("/auth/v1/health", { headers: key() })).status).toBe(200);
  });
});

describe("the backend", () => {
  test.each([
    "/rest/v1/",
    "/rest/v1/accounts",
    "/auth/v1/user",
    "/storage/v1/bucket",
    "/functions/v1/anything",
    "/realtime/v1/api/broadcast",
  ])("[API-1] answers nothing at %s without one of its keys", async (path) => {
    expect((await at(path)).status).toBe(401);
    expect((await at(path, { headers: { apikey: "sb_publishable_another" } })).status).toBe(401);
    expect(
      (await at(path, { headers: { authorization: `Bearer ${stack.keys.secretKey}` } })).status,
    ).toBe(401);
  });

  test("[API-2] refuses every token that it did not sign for an API role", async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      sub: ana.user.id,
      aud: "authenticated",
      role: "authenticated",
      iat: now,
      exp: now + 600,
    };
    const good = sign(claims);
    const [head, body, signature] = good.split(".");
    const corpus: Record<string, string> = {
      garbage: "garbage",
      "three dots": "...",
      "alg none": `${part({ alg: "none" })}.${body}.`,
      "alg None with signature": `${part({ alg: "None" })}.${body}.${signature}`,
      "wrong key": sign(claims, "some other secret of thirty-two bytes"),
      expired: sign({ ...claims, exp: now - 1 }),
      "no expiry": sign({ sub: claims.sub, role: claims.role }),
      "not yet": sign({ ...claims, nbf: now + 3600 }),
      "role postgres": sign({ ...claims, role: "postgres" }),
      "role supabase_admin": sign({ ...claims, role: "supabase_admin" }),
      "no role": sign({ sub: claims.sub, exp: claims.exp }),
      "body changed": `${head}.${part({ ...claims, role: "service_role" })}.${signature}`,
    };
    for (const [name, token] of Object.entries(corpus)) {
      for (const path of [
        "/rest/v1/accounts",
        "/auth/v1/user",
        "/storage/v1/bucket",
        "/functions/v1/x",
      ]) {
        const { status } = await at(path, {
          headers: { ...key(), authorization: `Bearer ${token}` },
        });
        expect(status, `${name} at ${path}`).toBe(401);
      }
    }
    expect(
      (
        await at("/rest/v1/accounts", {
          headers: { ...key(), authorization: "Basic cG9zdGdyZXM6" },
        })
      ).status,
    ).toBe(401);
    expect(
      (
        await at("/auth/v1/user", {
          headers: { ...key(), authorization: `Bearer ${await ana.accessToken()}` },
        })
      ).status,
    ).toBe(200);
  });

  test("[API-3] sandboxes every answer, and sends no CORS headers", async () => {
    for (const path of [
      "/rest/v1/",
      "/auth/v1/settings",
      "/storage/v1/bucket",
      "/mail/messages.json",
      "/functions/v1/x",
    ]) {
      const { headers } = await at(path, { headers: { ...key(), origin: "http://evil.example" } });
      expect(headers["content-security-policy"], path).toContain("default-src 'none'; sandbox");
      expect(headers["x-content-type-options"], path).toBe("nosniff");
      expect(
        Object.keys(headers).filter((name) => name.startsWith("access-control-")),
        path,
      ).toEqual([]);
    }
  });

  test("[API-4] limits guesses of a password, whatever address the request claims", async () => {
    const victim = await signUp(stack, "Ben");
    const statuses: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const { status } = await at("/auth/v1/token?grant_type=password", {
        method: "POST",
        headers: {
          ...key(),
          "content-type": "application/json",
          "x-forwarded-for": `10.1.2.${index}`,
          forwarded: `for=10.1.2.${index}`,
          "x-real-ip": `10.1.2.${index}`,
        },
        body: JSON.stringify({ email: victim.email, password: `guess ${index}` }),
      });
      statuses.push(status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(400));
    expect(statuses.slice(10)).toEqual(Array(20).fill(429));
    const { error } = await visitor(stack).auth.signInWithPassword({
      email: victim.email,
      password: victim.password,
    });
    expect(error?.message).toMatch(/^Too many tries\. Try again in \d+ seconds\.$/);
  });

  test.each([
    "/auth/v1/%74oken",
    "/auth/v1/./%74oken",
    "/rest/v1/../../%61uth/v1/token",
    "/storage/v1/object/../../../%61uth/v1/token",
  ])("[API-4] accepts no other sign-in path: %s", async (path) => {
    const { email, password } = ana;
    const headers = { ...key(), "content-type": "application/json" };
    const answer = await at(`${path}?grant_type=password`, {
      method: "POST",
      headers,
      body: JSON.stringify({ email, password }),
    });
    expect([answer.status, answer.text.includes("access_token")]).toEqual([404, false]);
  });

  test("[API-4] limits guesses of a code", async () => {
    const carol = await signUp(stack, "Carol");
    await visitor(stack).auth.signInWithOtp({
      email: carol.email,
      options: { shouldCreateUser: false },
    });
    const right = /<strong>(\d{6})</.exec(
      (await stack.mails(carol.email, /sign-in link/))[0]?.html ?? "",
    )?.[1];
    const outcomes: (number | undefined)[] = [];
    for (let index = 0; index < 20; index += 1) {
      const token = String((Number(right) + 1 + index) % 1_000_000).padStart(6, "0");
      const { error } = await visitor(stack).auth.verifyOtp({
        email: carol.email,
        token,
        type: "email",
      });
      outcomes.push(error?.status);
    }
    expect(outcomes.filter((status) => status === 429)).toHaveLength(10);
  });

  test("[API-5] answers alike for an address with and without an account", async () => {
    for (const path of ["/auth/v1/recover", "/auth/v1/otp"]) {
      const ask = (email: string) =>
        at(path, {
          method: "POST",
          headers: { ...key(), "content-type": "application/json" },
          body: JSON.stringify({ email, create_user: false }),
        });
      const [known, unknown] = [await ask(ana.email), await ask("nobody@example.com")];
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    }
  });

  test("[MAIL-1] accepts mail from functions alone", async () => {
    const mail = { to: "ana@example.com", subject: "Invitation", html: "<p>Come</p>" };
    const send = (authorization: string) =>
      at("/mail/messages.json", {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(mail),
      });
    expect((await send(`Bearer ${stack.keys.publishableKey}`)).status).toBe(401);
    expect((await send(`Bearer ${stack.keys.secretKey}`)).status).toBe(204);
    expect(await stack.mails("ana@example.com", /Invitation/)).toHaveLength(1);
  });
});

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function sign(claims: object, secret = stack.keys.jwtSecret): string {
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
