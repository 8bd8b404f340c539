import { createHmac, randomUUID } from "node:crypto";
import postgres from "postgres";
import { supabaseStore } from "@/events/log/store";
import { authCookie } from "@/supabase/cookie";
import { databaseUrl } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { bringIn } from "@/tests/support/writers/writers";
import { claimsOf } from "./scene";
import type { Scene } from "./scene";

/** All roles, with valid, invalid or no credentials. */
export const roles = [
  "owner",
  "editor",
  "commenter",
  "viewer",
  "restricted commenter",
  "restricted viewer",
  "account deleted",
  "removed",
  "stranger",
  "anon",
  "expired token",
  "wrong key",
  "alg none",
  "no key",
] as const;
export type Role = (typeof roles)[number];

export type Caller = {
  role: Role | "service";
  /** The scene whose data this caller requests. */
  scene: Scene;
  /** The database's user for this caller, or null if the database has no such user. */
  userId: string | null;
  /** Headers for the backend. */
  headers: Record<string, string>;
  /** The key and token with which a channel is joined. */
  socket: { key: string; token: string | null };
  /** The cookie that holds the session for pages. */
  cookie: string;
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: object, secret: string, alg = "HS256"): string {
  const content = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
  const signature = createHmac("sha256", secret).update(content).digest("base64url");
  return `${content}.${alg === "none" ? "" : signature}`;
}

/**
 * Creates all callers. Callers in `open` see its whole history, and restricted callers are in
 * `restricted`.
 */
export async function seat(stack: Stack, open: Scene, restricted: Scene): Promise<Caller[]> {
  const { publishableKey, secretKey, jwtSecret } = stack.keys;
  const key = { apikey: publishableKey };
  // The product's own tokens last ten minutes, which is too short for the whole matrix.
  const lasts = 3_600;
  const until = Math.floor(Date.now() / 1000) + lasts;
  const lasting = async (person: Person) =>
    signed({ ...claimsOf(await person.accessToken()), exp: until }, jwtSecret);
  const cookieOf = async (person: Person, token: string, isForged: boolean) => {
    const { data } = await person.client.auth.getSession();
    const session = isForged
      ? { ...data.session, access_token: token, refresh_token: "none" }
      : { ...data.session, access_token: token, expires_at: until, expires_in: lasts };
    return `${authCookie}=base64-${part(session)}`;
  };
  const seated = async (
    role: Role,
    person: Person,
    scene: Scene,
    token?: string,
  ): Promise<Caller> => {
    const shown = token ?? (await lasting(person));
    return {
      role,
      scene,
      userId: token === undefined ? person.user.id : null,
      headers: { ...key, authorization: `Bearer ${shown}` },
      socket: { key: publishableKey, token: shown },
      cookie: await cookieOf(person, shown, token !== undefined),
    };
  };
  const callers = [await seated("owner", open.owner, open)];
  const enter = async (role: Role, scene: Scene, as?: "editor" | "commenter" | "viewer") => {
    const person = await signUp(stack, role);
    if (as !== undefined) await bringIn(scene.owner, person, scene.workspace, as);
    callers.push(await seated(role, person, scene));
    return person;
  };
  await enter("editor", open, "editor");
  await enter("commenter", open, "commenter");
  await enter("viewer", open, "viewer");
  await enter("restricted commenter", restricted, "commenter");
  await enter("restricted viewer", restricted, "viewer");
  const deleted = await enter("account deleted", open, "editor");
  const removed = await enter("removed", open, "editor");
  await enter("stranger", open);
  granted(
    await supabaseStore(restricted.owner.client).append(restricted.workspace, null, [
      {
        id: randomUUID(),
        type: "workspace.history_graded",
        body: { viewer: "versions", commenter: "versions" },
      },
    ]),
  );
  granted(
    await supabaseStore(open.owner.client).append(open.workspace, null, [
      {
        id: randomUUID(),
        type: "member.removed",
        subject: { kind: "member", id: removed.user.id },
        body: {},
      },
    ]),
  );
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  await sql`delete from auth.users where id = ${deleted.user.id}`;
  await sql.end();

  const claims = claimsOf(await open.owner.accessToken());
  const forged: [Role, string][] = [
    ["expired token", signed({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }, jwtSecret)],
    ["wrong key", signed(claims, "another secret of more than thirty-two bytes")],
    ["alg none", signed(claims, jwtSecret, "none")],
  ];
  for (const [role, token] of forged) callers.push(await seated(role, open.owner, open, token));
  const nobody = { scene: open, userId: null, cookie: "" };
  callers.push({
    ...nobody,
    role: "anon",
    headers: key,
    socket: { key: publishableKey, token: null },
  });
  const token = await lasting(open.owner);
  callers.push({
    ...nobody,
    role: "no key",
    headers: { authorization: `Bearer ${token}` },
    socket: { key: "", token },
  });
  callers.push({
    ...nobody,
    role: "service",
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
    socket: { key: secretKey, token: null },
  });
  return callers;
}
