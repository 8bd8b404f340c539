import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import {
  accept,
  decline,
  granted,
  invite,
  newToken,
  newWorkspace,
} from "@/tests/support/writers/workspaces";
import type { Invited } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let mallory: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  mallory = db.newUser("Mallory");
  granted(
    await db.append(ana, ana.id, 0, [
      { type: "account.created", body: {} },
      { type: "account.profile_changed", body: { name: "Ana", color: 2 } },
    ]),
  );
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

const member = (user: User, type: string, body = {}) => ({
  type,
  subject: { kind: "member", id: user.id },
  body,
});
const roleOf = async (user: User) => {
  const [row] = await db.as(
    user,
    (t) => t`select role from members where workspace_id = ${workspace} and user_id = ${user.id}`,
  );
  return (row?.role as string | undefined) ?? null;
};
const preview = async (user: User | null, { id, token }: Invited) => {
  const [row] = await db.as(user, (t) => t`select preview_invitation(${id}, ${token}) as seen`);
  return row?.seen as unknown;
};
const fresh = () => (ben = db.newUser("Ben"));

describe("an invitation by link", () => {
  it("[LOG-23] gives each person with its token its role, as often as it is used", async () => {
    const link = await invite(db, ana, workspace, { role: "commenter" });
    for (const user of [fresh(), db.newUser("Carol")]) {
      expect(await accept(db, user, link)).toMatchObject({
        ok: true,
        value: [{ answer: { workspaceId: workspace, role: "commenter" } }],
      });
      expect(await roleOf(user)).toBe("commenter");
    }
    const joined = (await db.read(ben, workspace)).filter(({ type }) => type === "member.joined");
    expect(joined.at(-2)).toMatchObject({
      actorId: ben.id,
      subject: { kind: "member", id: ben.id },
      body: { role: "commenter", invitationId: link.id },
    });
  });

  it("[LOG-23] changes nothing for a member", async () => {
    const before = (await db.read(ana, workspace, 0)).length;
    const link = await invite(db, ana, workspace, { role: "viewer" });
    expect(await accept(db, ana, link)).toMatchObject({
      ok: true,
      value: [{ answer: { role: "owner" } }],
    });
    expect((await db.read(ana, workspace)).length).toBe(before + 1);
  });

  it("[LOG-23] refuses a wrong token, an expired link and a revoked one", async () => {
    const link = await invite(db, ana, workspace);
    const hash = (await db.read(ana, workspace)).at(-1)?.body;
    const guesses = [
      "",
      "x",
      newToken().token,
      typeof hash === "object" && hash !== null && "tokenHash" in hash
        ? String(hash.tokenHash)
        : "",
    ];
    for (const token of guesses)
      expect(verdict(await accept(db, mallory, { ...link, token }))).toBe("not-permitted");
    expect(verdict(await accept(db, mallory, { ...link, id: randomUUID() }))).toBe("not-permitted");
    await expect(accept(db, null, link)).rejects.toThrow(/permission denied/);
    const late = await invite(db, ana, workspace, { expiresAt: 1 });
    expect(await accept(db, mallory, late)).toMatchObject({
      refusal: { name: "illegal-transition", detail: "the invitation has expired" },
    });
    granted(
      await db.append(ana, workspace, null, [
        { type: "invitation.revoked", subject: { kind: "invitation", id: link.id }, body: {} },
      ]),
    );
    expect(verdict(await accept(db, mallory, link))).toBe("illegal-transition");
    expect(await roleOf(mallory)).toBeNull();
  });

  it("[LOG-23] does not readmit a removed member, unless created after the removal", async () => {
    const old = await invite(db, ana, workspace);
    granted(await accept(db, fresh(), old));
    granted(await db.append(ben, workspace, null, [member(ben, "member.left")]));
    granted(await accept(db, ben, old));
    granted(await db.append(ana, workspace, null, [member(ben, "member.removed")]));
    expect(verdict(await accept(db, ben, old))).toBe("not-permitted");
    granted(await accept(db, ben, await invite(db, ana, workspace, { role: "viewer" })));
    expect(await roleOf(ben)).toBe("viewer");
  });

  it("[LOG-23] cannot be declined", async () => {
    expect(verdict(await decline(db, fresh(), await invite(db, ana, workspace)))).toBe(
      "not-permitted",
    );
  });
});

describe("an invitation by email", () => {
  it("[LOG-23] admits its address alone, once", async () => {
    fresh();
    const letter = await invite(db, ana, workspace, {
      email: ben.email.toUpperCase(),
      role: "editor",
    });
    expect(verdict(await accept(db, mallory, letter))).toBe("not-permitted");
    expect(verdict(await decline(db, mallory, letter))).toBe("not-permitted");
    granted(await accept(db, ben, letter));
    expect(await accept(db, ben, letter)).toMatchObject({ ok: true });
    granted(await db.append(ben, workspace, null, [member(ben, "member.left")]));
    expect(verdict(await accept(db, ben, letter))).toBe("illegal-transition");
    const [row] = await db.sql`select phase from invitations where id = ${letter.id}`;
    expect(row?.phase).toBe("accepted");
  });

  it("[LOG-23] can be declined", async () => {
    fresh();
    const letter = await invite(db, ana, workspace, { email: ben.email });
    granted(await decline(db, ben, letter));
    expect(verdict(await accept(db, ben, letter))).toBe("illegal-transition");
    expect(await roleOf(ben)).toBeNull();
  });

  it("[LOG-23] requires an address, and a link refuses one", async () => {
    const created = (kind: string, email: string | null) =>
      db.append(ana, workspace, null, [
        {
          type: "invitation.created",
          subject: { kind: "invitation", id: randomUUID() },
          body: { kind, email, role: "viewer", expiresAt: null, tokenHash: newToken().tokenHash },
        },
      ]);
    expect(verdict(await created("email", null))).toBe("invalid-event");
    expect(verdict(await created("link", "a@example.com"))).toBe("invalid-event");
  });
});

describe("an invited person", () => {
  it("[LOG-23] sees the workspace, inviter and role before signing in", async () => {
    const expiresAt = Date.UTC(2100, 0, 1);
    const link = await invite(db, ana, workspace, { role: "viewer", expiresAt });
    const seen = {
      workspaceId: workspace,
      workspaceName: `Ana's workspace`,
      inviterName: "Ana",
      kind: "link",
      email: null,
      role: "viewer",
      phase: "open",
      expiresAt: "2100-01-01T00:00:00.000Z",
    };
    expect(await preview(null, link)).toEqual(seen);
    expect(await preview(mallory, link)).toEqual(seen);
    expect(await preview(mallory, { ...link, token: newToken().token })).toBeNull();
    expect(await preview(null, await invite(db, ana, workspace, { expiresAt: 1 }))).toMatchObject({
      phase: "expired",
    });
  });

  it("[LOG-23] has their address in the list of members, and never in the log", async () => {
    fresh();
    granted(await accept(db, ben, await invite(db, ana, workspace)));
    const [row] = await db.as(
      ana,
      (t) => t`select name, email from members where user_id = ${ben.id}`,
    );
    expect(row).toEqual({ name: ben.email.split("@")[0], email: ben.email });
    expect(JSON.stringify(await db.read(ana, workspace))).not.toContain(ben.email);
  });
});

describe("a former member", () => {
  it("[LOG-34] alone learns how they went", async () => {
    const departure = async (user: User) => {
      const [row] = await db.as(user, (t) => t`select read_departure(${workspace}) as told`);
      return row?.told as unknown;
    };
    granted(await accept(db, fresh(), await invite(db, ana, workspace)));
    for (const user of [ana, ben, mallory]) expect(await departure(user)).toBeNull();
    granted(await db.append(ana, workspace, null, [member(ben, "member.removed")]));
    expect(await departure(ben)).toEqual({
      phase: "removed",
      by: "Ana",
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await departure(mallory)).toBeNull();
    expect(await departure(ana)).toBeNull();
  });
});
