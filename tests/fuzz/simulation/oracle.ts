import { yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import { expect } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { readUnsent } from "@/machines/sync/device/unsent-text";
import { letters, stream } from "./ledger";
import { people } from "./simulation";
import type { Simulation } from "./simulation";

/**
 * The time, in ms, after which all pages have learnt of a topic's move, or noticed their silence.
 */
const moving = 35_000;

/** Checks what must hold for the log and for every page once everything works again. */
export async function judge(simulation: Simulation): Promise<void> {
  const fold = judgeLog(simulation);
  judgePages(simulation, fold);
  await judgeLetters(simulation, fold);
  judgeRemoved(simulation);
  expect(simulation.ledger.violations).toEqual([]);
}

/**
 * The log alone: everything acknowledged, in order, once, by permitted authors, and the same text
 * however it is folded.
 */
function judgeLog({ backend, ledger, random }: Simulation): ConfirmedDocument {
  const rows = backend.log(stream);
  expect(rows.map(({ version }) => version)).toEqual(rows.map((_row, index) => index + 1));
  expect(new Set(rows.map(({ id }) => id)).size, "an event is in the log twice").toBe(rows.length);
  for (const { id, version, hash } of ledger.acknowledged)
    expect(rows[version - 1], "an acknowledged event is not in the log").toMatchObject({
      id,
      hash,
    });
  for (const { actorId, version } of rows)
    expect(ledger.mayWrite(actorId, version), `${actorId} wrote ${version} without a right`).toBe(
      true,
    );

  const fold = new ConfirmedDocument(null);
  const updates: Uint8Array[] = [];
  const middle = random.below(rows.length + 1);
  let resumed = new ConfirmedDocument(null);
  for (const row of rows) {
    if (row.version === middle + 1) resumed = new ConfirmedDocument(resumed.state());
    updates.push(...fold.integrate(row).map(({ update }) => update));
    resumed.integrate(row);
    const { pendingStructs } = fold.doc.store;
    expect(pendingStructs, `version ${row.version} depends on something later`).toBeNull();
  }
  expect(fold.anomalies, "an honest edit is rejected").toEqual([]);
  expectSame(resumed.doc, fold.doc, "a fold from a snapshot");
  const merged = new Y.Doc();
  if (updates.length > 0) Y.applyUpdate(merged, Y.mergeUpdates(updates));
  expectSame(merged, fold.doc, "the merged updates");
  return fold;
}

/** Every page with read access shows what the log holds, including deleted items. */
function judgePages({ pages, rights }: Simulation, fold: ConfirmedDocument): void {
  for (const { live, user, pending } of pages) {
    if (rights.roleOf(user) === null || pending > 0) continue;
    expect(live.version, `${user} is behind`).toBe(fold.version);
    expectSame(live.doc, fold.doc, `${user}'s page`);
  }
}

/**
 * Every letter is in the text once, under its author; or the author may not write, was notified,
 * and has a copy.
 */
async function judgeLetters(
  { ledger, rights, pages, outboxes }: Simulation,
  fold: ConfirmedDocument,
): Promise<void> {
  ledger.read();
  const seen = letters(textOf(fold.doc));
  expect(new Set(seen).size, "a letter is there twice").toBe(seen.length);
  const there = new Set(seen);
  const offered = new Set<string>();
  for (const user of people) {
    if (rights.accessOf(user) === "write") continue;
    for (const page of pages) {
      if (page.user !== user || page.pending === 0) continue;
      expect(page.status.label).toBe("Not saved");
      for (const letter of letters(page.live.unsavedText())) offered.add(letter);
    }
    // A person without an open page is offered what is on the device.
    const outbox = outboxes.get(user);
    const unsent = outbox ? await readUnsent(outbox, { userId: user, documentId: stream }) : null;
    for (const letter of letters(unsent?.text ?? "")) offered.add(letter);
  }
  for (const [letter, author] of ledger.authors) {
    if (there.has(letter))
      expect(ledger.logged.get(letter), `${letter} has another author`).toBe(author);
    else if (!ledger.erased.has(letter) && !ledger.copied.has(letter)) {
      expect(offered.has(letter), `${author}'s ${letter} is lost`).toBe(true);
      ledger.count("offered");
    }
  }
}

/** A removed person receives nothing that others write afterwards. */
function judgeRemoved({ everyPage, pages, rights, ledger }: Simulation): void {
  for (const [user, since] of rights.removedAt) {
    const later = (letter: string) => (ledger.typedAt.get(letter) ?? 0) > since + moving;
    const others = (letter: string) => ledger.authors.get(letter) !== user;
    ledger.count("unseen", [...ledger.authors.keys()].filter(later).filter(others).length);
    const leaked = everyPage
      .filter((page) => page.user === user)
      .flatMap(({ line }) => line.leaked)
      .filter(later);
    expect(leaked, `${user} was sent what was written after their removal`).toEqual([]);
    for (const page of pages)
      if (page.user === user)
        expect(letters(textOf(page.live.doc)).filter(others).filter(later)).toEqual([]);
  }
}

const textOf = (doc: Y.Doc) => doc.getXmlFragment("default").toString();

function expectSame(doc: Y.Doc, log: Y.Doc, whose: string): void {
  const json = (of: Y.Doc): unknown => yXmlFragmentToProsemirrorJSON(of.getXmlFragment("default"));
  expect(json(doc), `${whose} has another text`).toEqual(json(log));
  expect(Y.encodeStateVector(doc).length > 0).toBe(true);
  expect(Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(log)), `${whose} has other structs`).toBe(
    true,
  );
}
