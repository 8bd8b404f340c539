import postgres from "postgres";
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseUrl } from "@/tests/support/product/backend";
import { signInAgain, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Mail, Stack } from "@/tests/support/product/stack";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.dispose());

const linkOf = (mail: Mail | undefined) => {
  const href = /href="([^"]+)"/.exec(mail?.html ?? "")?.[1];
  if (!href) throw new Error("No link in the mail");
  return new URL(href.replaceAll("&amp;", "&"));
};
const codeOf = (mail: Mail | undefined) => /<strong>(\d{6})</.exec(mail?.html ?? "")?.[1] ?? "";
const hashOf = (link: URL) => link.searchParams.get("token_hash") ?? "";

test("signs up with a session at once, and a token of ten minutes at most", async () => {
  const ana = await signUp(stack, "Ana");
  const { data } = await ana.client.auth.getUser();
  expect(data.user?.user_metadata.name).toBe("Ana");
  const session = (await ana.client.auth.getSession()).data.session;
  expect(session?.expires_in).toBeLessThanOrEqual(600);
});

test("[AUTH-5] tabs that refresh with one token at the same time stay signed in", async () => {
  const ana = await signUp(stack, "Ana");
  let token = (await ana.client.auth.getSession()).data.session?.refresh_token ?? "";
  for (let round = 0; round < 20; round += 1) {
    const tabs = [visitor(stack), visitor(stack), visitor(stack)];
    const outcomes = await Promise.all(
      tabs.map((tab) => tab.auth.refreshSession({ refresh_token: token })),
    );
    expect(outcomes.map(({ error }) => error)).toEqual([null, null, null]);
    const next = new Set(outcomes.map(({ data }) => data.session?.refresh_token ?? ""));
    expect(next.size).toBe(1);
    expect(next.has(token)).toBe(false);
    token = [...next].join();
  }
});

test("[MAIL-2] sets a new password by the link of the recovery mail, once", async () => {
  const ana = await signUp(stack, "Ana");
  const browser = visitor(stack);
  await browser.auth.resetPasswordForEmail(ana.email, {
    redirectTo: `${stack.url}/reset-password`,
  });
  const link = linkOf((await stack.mails(ana.email, /new password/))[0]);
  expect(`${link.origin}${link.pathname}`).toBe(`${stack.url}/auth/confirm`);
  expect(Object.fromEntries(link.searchParams)).toMatchObject({
    type: "recovery",
    next: "/reset-password",
  });
  expect(
    (await browser.auth.verifyOtp({ token_hash: hashOf(link), type: "recovery" })).error,
  ).toBeNull();
  expect(
    (await browser.auth.updateUser({ password: "a quite different password" })).error,
  ).toBeNull();
  expect(
    (await visitor(stack).auth.verifyOtp({ token_hash: hashOf(link), type: "recovery" })).error
      ?.code,
  ).toBe("otp_expired");
  expect(
    (await visitor(stack).auth.signInWithPassword({ email: ana.email, password: ana.password }))
      .error?.code,
  ).toBe("invalid_credentials");
  await signInAgain(stack, { ...ana, password: "a quite different password" });
});

test("[AUTH-1] a changed password ends every other session", async () => {
  const ana = await signUp(stack, "Ana");
  const elsewhere = await signInAgain(stack, ana);
  expect(
    (await ana.client.auth.updateUser({ password: "a quite different password" })).error,
  ).toBeNull();
  expect((await elsewhere.client.auth.refreshSession()).error).not.toBeNull();
  expect((await ana.client.auth.refreshSession()).error).toBeNull();
});

test("[MAIL-2] signs in once by an emailed link, leading to the requested page, or its code", async () => {
  const ana = await signUp(stack, "Ana");
  const browser = visitor(stack);
  const wanted = `${stack.url}/d/7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001`;
  await browser.auth.signInWithOtp({
    email: ana.email,
    options: { shouldCreateUser: false, emailRedirectTo: wanted },
  });
  const [mail] = await stack.mails(ana.email, /sign-in link/);
  expect(linkOf(mail).searchParams.get("next")).toBe(wanted);
  expect(
    (await browser.auth.verifyOtp({ email: ana.email, token: codeOf(mail), type: "email" })).data
      .user?.id,
  ).toBe(ana.user.id);
  expect(
    (await visitor(stack).auth.verifyOtp({ token_hash: hashOf(linkOf(mail)), type: "email" })).error
      ?.code,
  ).toBe("otp_expired");
});

test("[MAIL-2] never redirects to another site, whatever the request asks", async () => {
  const ana = await signUp(stack, "Ana");
  await visitor(stack).auth.signInWithOtp({
    email: ana.email,
    options: { emailRedirectTo: "https://evil.example/steal" },
  });
  const [mail] = await stack.mails(ana.email, /sign-in link/);
  expect(`${mail?.html} ${mail?.text}`).not.toContain("evil.example");
});

const asksForAnother = async (name: string) => {
  const person = await signUp(stack, name);
  const next = `new.${person.email}`;
  expect((await person.client.auth.updateUser({ email: next })).error).toBeNull();
  const hashIn = async (address: string) =>
    hashOf(linkOf((await stack.mails(address, /change of address/))[0]));
  const address = async () => (await person.client.auth.getUser()).data.user?.email;
  return { person, next, address, old: await hashIn(person.email), fresh: await hashIn(next) };
};
const opens = (hash: string) =>
  visitor(stack).auth.verifyOtp({ token_hash: hash, type: "email_change" });

test.each(["old", "new"] as const)(
  "[AUTH-4] the address changes once both addresses have confirmed, the %s one first",
  async (first) => {
    const { person, next, address, old, fresh } = await asksForAnother("Ana");
    const [one, two] = first === "old" ? [old, fresh] : [fresh, old];
    expect(await address()).toBe(person.email);
    const noted = await opens(one);
    expect([noted.error, noted.data.session]).toEqual([null, null]);
    expect(await address()).toBe(person.email);
    // Opening the same link twice does not count as opening the other link.
    expect((await opens(one)).data.session).toBeNull();
    expect(await address()).toBe(person.email);
    expect((await opens(two)).data.session?.user.email).toBe(next);
    expect(await address()).toBe(next);
    await signInAgain(stack, { ...person, email: next });
    for (const spent of [one, two]) expect((await opens(spent)).error?.code).toBe("otp_expired");
  },
);

test("[AUTH-4] both links opened at the same moment change the address once", async () => {
  const { person, next, address, old, fresh } = await asksForAnother("Ben");
  const answers = await Promise.all([opens(old), opens(fresh)]);
  expect(answers.map(({ error }) => error)).toEqual([null, null]);
  expect(answers.filter(({ data }) => data.session)).toHaveLength(1);
  expect(await address()).toBe(next);
  await signInAgain(stack, { ...person, email: next });
});

test("[AUTH-4] a second change of address invalidates the links of the first", async () => {
  const { person, address, old, fresh } = await asksForAnother("Carol");
  expect((await opens(old)).error).toBeNull();
  const third = `third.${person.email}`;
  expect((await person.client.auth.updateUser({ email: third })).error).toBeNull();
  for (const stale of [fresh, old]) expect((await opens(stale)).error?.code).toBe("otp_expired");
  expect(await address()).toBe(person.email);
  for (const to of [person.email, third])
    expect(
      (await opens(hashOf(linkOf((await stack.mails(to, /change of address/))[0])))).error,
    ).toBeNull();
  expect(await address()).toBe(third);
});

test("[AUTH-4] fetching a link does not spend it, and its mail offers no code", async () => {
  const { person, next, address, old, fresh } = await asksForAnother("Dora");
  const key = { apikey: stack.keys.publishableKey };
  for (const hash of [old, fresh]) {
    expect(
      (
        await fetch(`${stack.url}/auth/v1/verify?type=email_change&token=${hash}`, {
          headers: key,
          redirect: "manual",
        })
      ).status,
    ).toBe(405);
  }
  expect(await address()).toBe(person.email);
  const [mail] = await stack.mails(next, /change of address/);
  expect(mail?.text).toContain(`from ${person.email} to ${next}`);
  expect(codeOf(mail)).toBe("");
});

test.each([
  { scope: "local", here: false, there: true },
  { scope: "others", here: true, there: false },
  { scope: "global", here: false, there: false },
] as const)(
  "[AUTH-2] signing out with scope $scope ends exactly that scope",
  async ({ scope, here, there }) => {
    const ana = await signUp(stack, "Ana");
    const elsewhere = await signInAgain(stack, ana);
    const refresh = (await ana.client.auth.getSession()).data.session?.refresh_token ?? "";
    expect((await ana.client.auth.signOut({ scope })).error).toBeNull();
    expect(
      (await visitor(stack).auth.refreshSession({ refresh_token: refresh })).error === null,
    ).toBe(here);
    expect((await elsewhere.client.auth.refreshSession()).error === null).toBe(there);
  },
);

test("refuses a short password", async () => {
  expect(
    (await visitor(stack).auth.signUp({ email: "short@example.com", password: "short" })).error
      ?.code,
  ).toBe("weak_password");
});

test("[API-14] makes no second account for an address, and mails the first one", async () => {
  const ana = await signUp(stack, "Ana");
  const again = await visitor(stack).auth.signUp({
    email: ana.email.toUpperCase(),
    password: "long enough password",
  });
  expect([again.error, again.data.session]).toEqual([null, null]);
  expect(await stack.mails(ana.email, /already have an account/)).toHaveLength(1);
});

/** Returns what a session's token can reach, by kind of access; null for refused access. */
async function reachOf(person: Person, token: string, cookie: string) {
  const apikey = stack.keys.publishableKey;
  const headers = { apikey, authorization: `Bearer ${token}` };
  const ask = async (path: string, init: RequestInit = {}) => {
    const { status } = await fetch(`${stack.url}${path}`, { headers, redirect: "manual", ...init });
    return status;
  };
  const rpc = (name: string, body: object) =>
    ask(`/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const stream = person.user.id;
  return {
    table: await ask("/rest/v1/workspaces?select=id"),
    read: await rpc("read_sessions", {}),
    append: await rpc("append_events", { stream, expected_version: 0, events: [] }),
    storage: await ask("/storage/v1/bucket"),
    broadcast: await ask("/realtime/v1/api/broadcast", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ messages: [] }),
    }),
    user: await ask("/auth/v1/user"),
    page: await ask("/account", { headers: { cookie } }),
  };
}

/** Opens a socket with a channel of the person's own. `closed` resolves to the close code. */
async function openSocket(person: Person, token: string) {
  const socket = new WebSocket(
    `${stack.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${stack.keys.publishableKey}`,
  );
  const said: string[] = [];
  const closed = new Promise<number>((settle) => socket.once("close", settle));
  socket.on("message", (data) => said.push(String(data)));
  await new Promise((settle) => socket.once("open", settle));
  const join = () =>
    socket.send(
      JSON.stringify([
        "1",
        "1",
        `realtime:account:${person.user.id}:0`,
        "phx_join",
        { config: { private: true }, access_token: token },
      ]),
    );
  join();
  await expect.poll(() => said.join()).toContain("phx_reply");
  return { said, closed, socket };
}

const sessionOf = async (person: Person) => {
  const { data } = await person.client.auth.getSession();
  const session = data.session;
  if (!session) throw new Error("not signed in");
  const text = Buffer.from(JSON.stringify(session)).toString("base64url");
  return { token: session.access_token, cookie: `palimpsest-auth=base64-${text}` };
};

const all = { table: 200, read: 200, storage: 200, user: 200, page: 200 };
const none = {
  table: 401,
  read: 401,
  append: 401,
  storage: 401,
  broadcast: 401,
  user: 403,
  page: 307,
};

test.each<[string, (asking: Person, other: Person) => Promise<unknown>]>([
  ["signing out everywhere", ({ client }) => client.auth.signOut({ scope: "global" })],
  [
    "ending it in the list of devices",
    async ({ client }, other) => {
      const { session_id: session } = JSON.parse(
        Buffer.from((await sessionOf(other)).token.split(".")[1] ?? "", "base64url").toString(),
      );
      expect((await client.rpc("end_session", { session })).data).toBe(true);
    },
  ],
  [
    "a new password",
    ({ client }) => client.auth.updateUser({ password: "quite another password" }),
  ],
  [
    "its person deleted the account",
    async ({ client, email }) => {
      const { data } = await client.rpc("delete_account", { address: email });
      expect(data).toEqual({ deleted: true, left: 0 });
    },
  ],
  [
    "deleting the account",
    async ({ user }) => {
      const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
      await sql`delete from auth.users where id = ${user.id}`;
      await sql.end();
    },
  ],
])("[API-40] [RT-121] [ACC-20] a token is refused everywhere after %s", async (_, end) => {
  const ana = await signUp(stack, "Ana");
  const elsewhere = await signInAgain(stack, ana);
  const { token, cookie } = await sessionOf(elsewhere);
  const socket = await openSocket(elsewhere, token);
  expect(socket.said.join()).toContain('"status":"ok"');
  expect(await reachOf(elsewhere, token, cookie)).toMatchObject(all);
  await end(ana, elsewhere);
  expect(await socket.closed).toBe(1001);
  expect(socket.said.join()).toContain("The session of the token has ended");
  expect(await reachOf(elsewhere, token, cookie)).toEqual(none);
  const again = await openSocket(elsewhere, token);
  expect(again.said.join()).toContain("InvalidJWTToken: The session of the token has ended");
  again.socket.terminate();
});
