import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";
import { storeFile } from "@/tests/support/database/stored-file";
import { step, storedFile } from "./random-proposal";
import { World } from "./random-world";
import {
  accept,
  granted,
  invite,
  join,
  newDocument,
  newWorkspace,
} from "@/tests/support/writers/workspaces";
import { readModels } from "./read-models";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

describe("the read models", () => {
  it("[LOG-14] match the TypeScript fold and its verdicts on every prefix of random histories", async () => {
    const seed = 9;
    const total = { ok: 0, refused: 0, given: 0, free: 0 };
    const worlds: World[] = [];
    const histories = fc.sample(fc.array(step, { minLength: 80, maxLength: 110, size: "max" }), {
      seed,
      numRuns: 14,
    });
    for (const steps of histories) {
      const world = new World(db);
      worlds.push(world);
      const [ana, ben] = world.people;
      if (!ana || !ben) throw new Error("nobody");
      await db.append(ana, world.workspace, 0, [
        { type: "workspace.created", body: { name: "W" } },
      ]);
      await storeFile(db, world.workspace, storedFile);
      await db.append(ben, ben.id, 0, [{ type: "account.created", body: {} }]);
      const [first = ""] = world.documents;
      await db.append(ana, first, 0, [
        { type: "document.created", body: { workspaceId: world.workspace, title: "D" } },
      ]);
      for (const stream of [world.workspace, ben.id, first]) await world.follow(stream);
      for (const chosen of steps) await world.run(chosen);
      await world.purge(first);
      total.ok += world.tally.ok;
      total.refused += world.tally.refused;
      total.given += world.tally.given;
      total.free += world.tally.free;
    }
    const phases = new Set(worlds.flatMap((world) => [...world.phases]));
    console.log(
      `seed ${seed}: ${total.ok} events, ${total.refused} refusals, ` +
        `${phases.size} phases, ${total.given} colours given, ${total.free} of them ` +
        "to newcomers",
    );
    expect(total.ok).toBeGreaterThan(300);
    expect(total.refused).toBeGreaterThan(150);
    expect(total.free).toBeGreaterThan(15);
    expect(total.given).toBeGreaterThan(total.free);
    expect([...phases].sort()).toEqual([
      "account active",
      "comment deleted",
      "comment shown",
      "document live",
      "document purged",
      "document trashed",
      "file attached",
      "invitation accepted",
      "invitation declined",
      "invitation open",
      "invitation revoked",
      "member active",
      "member left",
      "member removed",
      "thread open",
      "thread resolved",
      "version named",
      "version pinned",
      "workspace active",
    ]);
  });

  it("[LOG-15] are the same rows after a rebuild from the log", async () => {
    const before = await readModels(db);
    expect(Object.values(before).every((rows) => Array.isArray(rows) && rows.length > 0)).toBe(
      true,
    );
    await db.sql`select rebuild_projections()`;
    expect(await readModels(db)).toEqual(before);
  });

  it("[LOG-15] have a changed address in every workspace of its person, also after a rebuild", async () => {
    const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
    const [hers, his] = [await newWorkspace(db, ana), await newWorkspace(db, ben)];
    await join(db, ana, hers, ben, "editor");
    const shown = async () =>
      (await db.sql`select distinct email from members where user_id = ${ben.id}`).map(
        ({ email }) => email as unknown,
      );
    const same = async () => {
      const before = await readModels(db);
      await db.sql`select rebuild_projections()`;
      expect(await readModels(db)).toEqual(before);
    };
    // A new document or a new membership is not an event of Ben's account; both come with his
    // token.
    await newDocument(db, { ...ben, email: "ben@new.example" }, his);
    expect(await shown()).toEqual(["ben@new.example"]);
    await same();
    const carol = db.newUser("Carol");
    granted(
      await accept(
        db,
        { ...ben, email: "ben@newer.example" },
        await invite(db, carol, await newWorkspace(db, carol)),
      ),
    );
    expect(await shown()).toEqual(["ben@newer.example"]);
    await same();
  });

  it("[LOG-15] are rebuilt by the service alone", async () => {
    const mallory = db.newUser("Mallory");
    await expect(db.as(mallory, (t) => t`select rebuild_projections()`)).rejects.toThrow(
      /permission denied/,
    );
    await db.sql`grant execute on function rebuild_projections() to authenticated`;
    await expect(db.as(mallory, (t) => t`select rebuild_projections()`)).rejects.toThrow(
      /not-permitted/,
    );
    await db.sql`revoke execute on function rebuild_projections() from authenticated`;
  });
});
