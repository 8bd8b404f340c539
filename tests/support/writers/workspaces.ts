import { randomBytes, randomUUID } from "node:crypto";
import { createHash } from "node:crypto";
import type { Role } from "@/machines/member";
import { answered } from "../database/database";
import type { TestDatabase, User } from "../database/database";

/** Creates an invitation's token, and the hash of it that the log records. */
export function newToken(): { token: string; tokenHash: string } {
  const token = randomBytes(24).toString("base64url");
  return { token, tokenHash: createHash("sha256").update(token).digest("hex") };
}

/** Throws if an append that the test depends on was refused. */
export function granted<T extends { ok: boolean }>(answer: T): Extract<T, { ok: true }> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  // Only the accepted case remains here.
  return answer as Extract<T, { ok: true }>;
}

/** Creates a workspace of this person, and returns its id. */
export async function newWorkspace(db: TestDatabase, owner: User): Promise<string> {
  const id = randomUUID();
  granted(
    await db.append(owner, id, 0, [
      { type: "workspace.created", body: { name: `${owner.name}'s workspace` } },
    ]),
  );
  return id;
}

/** Creates a live document, and returns its id. */
export async function newDocument(
  db: TestDatabase,
  author: User,
  workspaceId: string,
): Promise<string> {
  const id = randomUUID();
  granted(
    await db.append(author, id, 0, [
      { type: "document.created", body: { workspaceId, title: "Draft" } },
    ]),
  );
  return id;
}

export type Invited = { id: string; token: string };

/** Creates an open invitation by link, or by email if an address is given. */
export async function invite(
  db: TestDatabase,
  owner: User,
  workspace: string,
  options: { role?: "editor" | "commenter" | "viewer"; email?: string; expiresAt?: number } = {},
): Promise<Invited> {
  const id = randomUUID();
  const { token, tokenHash } = newToken();
  const { role = "editor", email = null, expiresAt = null } = options;
  const body = { kind: email === null ? "link" : "email", email, role, expiresAt, tokenHash };
  granted(
    await db.append(owner, workspace, null, [
      { type: "invitation.created", subject: { kind: "invitation", id }, body },
    ]),
  );
  return { id, token };
}

/** Returns the answer of accept_invitation to this person. */
export function accept(db: TestDatabase, user: User | null, { id, token }: Invited) {
  return answered(db.as(user, (t) => t`select accept_invitation(${id}, ${token}) as answer`));
}

/** Returns the answer of decline_invitation to this person. */
export function decline(db: TestDatabase, user: User | null, { id, token }: Invited) {
  return answered(db.as(user, (t) => t`select decline_invitation(${id}, ${token}) as answer`));
}

/** Adds a person to a workspace with a role. */
export async function join(
  db: TestDatabase,
  owner: User,
  workspace: string,
  user: User,
  role: Role,
): Promise<void> {
  granted(
    await accept(
      db,
      user,
      await invite(db, owner, workspace, { role: role === "owner" ? "editor" : role }),
    ),
  );
  if (role !== "owner") return;
  const subject = { kind: "member", id: user.id };
  granted(
    await db.append(owner, workspace, null, [
      { type: "member.role_changed", subject, body: { role } },
    ]),
  );
}
