import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { parseRow } from "@/events/core/envelope";
import type { Ruled } from "@/events/core/envelope";
import { emptyFold, foldEvent, phaseOf, subjectOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { account } from "@/machines/account";
import { aggregates, kindOfType } from "@/machines/catalog";
import { invitedRoles } from "@/machines/invitation";
import { treeAfter } from "@/machines/document-tree";
import type { DocumentTree } from "@/machines/tree-path";
import { givenColors, member } from "@/machines/member";
import type { Role } from "@/machines/member";
import { verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { accept, decline, newToken } from "@/tests/support/writers/workspaces";
import type { Invited } from "@/tests/support/writers/workspaces";
import { predict } from "./predicted-verdict";
import { proposalOf } from "./random-proposal";
import type { Cast, Step } from "./random-proposal";
import { compareReadModels, compareTree } from "./read-models";

/**
 * One workspace with its people and documents, as the database and as the TypeScript fold have it.
 */
export class World implements Cast {
  readonly people: User[];
  readonly workspace = randomUUID();
  readonly documents = [randomUUID(), randomUUID()];
  readonly inside = randomUUID();
  readonly threads = [randomUUID(), randomUUID()];
  readonly comments = [randomUUID(), randomUUID()];
  readonly invitations: (Invited & { email: string | null })[] = [];
  tree: DocumentTree = new Map();
  readonly folds = new Map<string, StreamFold>();
  private readonly last = new Map<string, Ruled>();
  readonly tally = { ok: 0, refused: 0, given: 0, free: 0 };
  /** Every phase that occurred. */
  readonly phases = new Set<string>();
  private readonly db: TestDatabase;

  constructor(db: TestDatabase) {
    this.db = db;
    this.people = ["Ana", "Ben", "Carol", "Dora"].map((name) => db.newUser(name));
  }

  fold(stream: string): StreamFold {
    return this.folds.get(stream) ?? emptyFold;
  }

  /** The newest row of a stream. */
  newest(stream: string): Ruled | undefined {
    return this.last.get(stream);
  }

  roleOf(user: User): Role | null {
    const { phase, state } = subjectOf(this.fold(this.workspace), member, user.id);
    return phase === "active" ? state.role : null;
  }

  /** Folds the stream's new events, and compares each of its read models with the fold. */
  async follow(stream: string): Promise<void> {
    let fold = this.fold(stream);
    const rowsAfter = async (version: number) => {
      const rows = await this.db.sql`
        select private.as_row(e, p) as row from events e join event_payloads p on p.event_id = e.id
        where stream_id = ${stream} and e.version > ${version} order by e.version`;
      return rows.map(({ row }) => parseRow(row));
    };
    const fresh = await rowsAfter(fold.version);
    for (const parsed of fresh) this.tree = treeAfter(this.tree, { ...parsed, id: stream });
    // A purged stream is folded from what is left of it.
    const isPurged = fresh.some(({ type }) => type === "document.purged");
    if (isPurged) fold = emptyFold;
    for (const parsed of isPurged ? await rowsAfter(0) : fresh) {
      this.last.set(stream, parsed);
      fold = foldEvent(aggregates, fold, parsed);
    }
    for (const [key, { phase }] of Object.entries(fold.subjects))
      this.phases.add(`${key.split(":")[0]} ${phase}`);
    this.folds.set(stream, fold);
    await compareReadModels(this.db, (other) => this.fold(other), stream);
  }

  private async wearing() {
    return this.db.sql<
      { id: string; phase: string; color: number }[]
    >`select user_id as id, phase, color from members where workspace_id = ${this.workspace}`;
  }

  /**
   * A new member gets a colour that no other member has or had: here there are always free ones.
   */
  private judgeColor(user: User, before: { id: string; color: number }[]): void {
    const worn = before.filter(({ id }) => id !== user.id).map(({ color }) => color);
    const { color } = subjectOf(this.fold(this.workspace), member, user.id).state;
    expect(worn).not.toContain(color);
    this.tally.given += 1;
    if (
      before.some(({ id }) => id === user.id) ||
      subjectOf(this.fold(user.id), account, user.id).state.color !== null
    )
      return;
    expect(color).toBe(givenColors.find((candidate) => !worn.includes(candidate)));
    this.tally.free += 1;
  }

  /** An owner deletes a document permanently, if it is empty. */
  async purge(id: string): Promise<void> {
    const owner = this.people.find((user) => this.roleOf(user) === "owner") ?? null;
    const isLive = phaseOf(this.fold(id), { kind: "document", id }) === "live";
    const trashed: NewProposal[] = isLive ? [{ type: "document.trashed", body: {} }] : [];
    await this.db.append(owner, id, null, [...trashed, { type: "document.purged", body: {} }]);
    await this.follow(id);
  }

  /**
   * Performs one act, and compares the database's verdict and state with those that the folds
   * predicted.
   */
  async run(chosen: Step): Promise<void> {
    const user = this.people[chosen.who] ?? this.people[0];
    if (!user) throw new Error("nobody");
    const note = (outcome: string) =>
      outcome === "ok" ? (this.tally.ok += 1) : (this.tally.refused += 1);
    const open = this.invitations[chosen.pick % Math.max(1, this.invitations.length)];
    if (chosen.act === "invite") {
      const { token, tokenHash } = newToken();
      const id = randomUUID();
      const email = chosen.pick % 2 === 0 ? (this.people[chosen.pick % 4]?.email ?? null) : null;
      const role = invitedRoles[chosen.pick % 3] ?? "viewer";
      const proposal: NewProposal = {
        type: "invitation.created",
        subject: { kind: "invitation", id },
        body: { kind: email === null ? "link" : "email", email, role, expiresAt: null, tokenHash },
      };
      const predicted = predict(this, user, this.workspace, proposal);
      const got = verdict(await this.db.append(user, this.workspace, null, [proposal]));
      expect({ proposal, got }).toEqual({ proposal, got: predicted });
      if (got === "ok") this.invitations.push({ id, token, email });
      note(got);
      await this.follow(this.workspace);
    } else if (chosen.act === "accept" || chosen.act === "decline") {
      if (!open) return;
      const act = chosen.act === "accept" ? accept : decline;
      const before = await this.wearing();
      const outcome = verdict(await act(this.db, user, open));
      note(outcome);
      await this.follow(this.workspace);
      if (
        outcome === "ok" &&
        act === accept &&
        this.roleOf(user) !== null &&
        !before.some((one) => one.id === user.id && one.phase === "active")
      )
        this.judgeColor(user, before);
    } else {
      const isCommentKind = (kind: string) => kind === "thread" || kind === "comment";
      const types = aggregates
        .filter(({ kind }) => isCommentKind(kind) === (chosen.act === "comment"))
        .flatMap(({ schemas }) => Object.keys(schemas));
      // Half of the time a type that the law (transition table) allows now: random choice rarely
      // finds one.
      const allowed = types.filter((candidate) => {
        const { stream, proposal } = proposalOf(this, candidate, chosen, user);
        return predict(this, user, stream, proposal) === "ok";
      });
      const among = chosen.lawful && allowed.length > 0 ? allowed : types;
      // The kind first, so that a kind with few types gets as many events as one with many.
      const kinds = [...new Set(among.map(kindOfType))];
      const ofKind = among.filter(
        (candidate) => kindOfType(candidate) === kinds[chosen.type % kinds.length],
      );
      const type = ofKind[Math.floor(chosen.type / kinds.length) % ofKind.length] ?? "";
      const { stream, proposal } = proposalOf(this, type, chosen, user);
      const predicted = predict(this, user, stream, proposal);
      const got = verdict(await this.db.append(user, stream, null, [proposal]));

      expect({
        proposal,
        phase: phaseOf(
          this.fold(stream),
          proposal.subject ?? { kind: kindOfType(type) ?? "", id: stream },
        ),
        role: this.roleOf(user),
        got,
      }).toMatchObject({ got: predicted });
      note(got);
      await this.follow(stream);
      if (got === "ok" && stream === user.id) await this.follow(this.workspace);
      await compareTree(this.db, this.workspace, this.tree);
    }
  }
}
