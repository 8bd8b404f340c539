import fc from "fast-check";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import { bodyFields } from "@/events/core/envelope";
import type { Json, Ruled } from "@/events/core/envelope";
import { copyInEvents } from "@/events/revisions/copy-in-events";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { standInPlace } from "@/events/crdt/payload/tombstone-payload";
import { redactableKeys } from "@/events/core/body-shapes";
import { hashed, unhashed } from "@/events/proof/chain.fixture";
import { redact } from "@/events/crdt/payload/redaction";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import type { Gesture } from "@/events/crdt/updates/rich-edits.fixture";
import { schemaNames } from "@/events/content/schema-names";
import { ana, ben } from "@/events/proof/bundle.fixture";

/** A history to import: the typing, and other actions after a number of edits. */
type ImportedSample = {
  gestures: Gesture[];
  apart: number;
  actions: { after: number; choice: number }[];
  forked: boolean;
};

/**
 * Any history with text, titles, icons, comments, version names, the trash, redactions and rejected
 * edits.
 */
export const importedHistories: fc.Arbitrary<ImportedSample> = fc.record({
  gestures: fc.array(anyGesture, { minLength: 4, maxLength: 40 }),
  apart: fc.integer({ min: 1, max: 8 }),
  actions: fc.array(fc.record({ after: fc.nat(40), choice: fc.nat(11) }), { maxLength: 14 }),
  forked: fc.boolean(),
});

const elsewhere = "00000000-0000-4000-8000-00000000e15e";
const idOf = (kind: string, number: number) =>
  `00000000-0000-4000-8000-${kind}${String(number).padStart(11, "0")}`;
const authors = [ana, ben, ana];

/** Returns a position for a comment, within the first writer's first characters. */
function place(clock: number): string {
  return toBase64(
    Y.encodeRelativePosition(new Y.RelativePosition(null, null, Y.createID(7, clock), 0)),
  );
}

class HistoryWriter {
  readonly rows: Ruled[] = [];
  private readonly known = new Set<number>();
  private readonly threads: string[] = [];
  private readonly comments: { id: string; by: string }[] = [];
  private readonly versions: string[] = [];
  private phase = "live";

  add(type: string, body: Json, fields: Partial<Ruled> = {}): void {
    this.rows.push(
      unhashed(this.rows.length + 1, {
        type,
        bodyText: JSON.stringify(body),
        body,
        update: null,
        clientIds: [],
        ...fields,
      }),
    );
  }

  write(client: number, updates: Uint8Array[], actorId: string): void {
    const time = Date.parse(unhashed(this.rows.length + 1).clientTime);
    const clientIds = this.known.has(client) ? [] : [client];
    this.known.add(client);
    // The last of several edits is later than its event was recorded, as with a fast clock.
    this.add(
      "document.edited",
      {},
      {
        actorId,
        clientIds,
        update: encodeEdits(updates.map((update, index) => ({ update, time: time + index * 160 }))),
      },
    );
  }

  copyIn(): void {
    const doc = new Y.Doc();
    doc.clientID = 99;
    const element = new Y.XmlElement("paragraph");
    element.insert(0, [new Y.XmlText("Written in another document. ")]);
    doc.getXmlFragment("default").push([element]);
    for (const piece of copyInEvents(Y.encodeStateAsUpdate(doc), elsewhere))
      this.add("document.forked", { document: elsewhere, version: 4 }, piece);
  }

  private redact(): void {
    const target = this.rows.find(
      ({ type, salt }) =>
        salt !== null &&
        (type === "document.edited" || type === "document.renamed" || type === "comment.added"),
    );
    if (!target) return;
    const tombstone = redact(target.update, Date.parse(target.clientTime), schemaNames);
    const body = bodyFields(target.body);
    const left = Object.fromEntries(
      Object.entries(body).map(([key, value]) => [key, redactableKeys.includes(key) ? "" : value]),
    );
    const bare = {
      salt: null,
      payloadHash: "ab".repeat(32),
      body: left,
      bodyText: JSON.stringify(left),
      update: target.update && standInPlace(tombstone),
    };
    this.rows[target.version - 1] = { ...target, ...bare };
    this.add("document.redacted", { event: target.id, reason: "Leaked" }, { update: tombstone });
  }

  act(choice: number): void {
    const number = this.rows.length;
    const thread = this.threads.at(-1);
    const comment = this.comments.at(-1);
    const version = this.versions.at(-1);
    const about = (kind: string, id: string, fields: Partial<Ruled>): Partial<Ruled> => ({
      subject: { kind, id },
      ...fields,
    });
    if (choice === 0)
      if (number % 3 > 0) this.add("document.renamed", { title: `Title ${number} “𝄞”` });
      else this.add("document.icon_set", { emoji: [null, "🌊", "👩🏽‍🚀"][(number % 9) / 3] ?? null });
    else if (choice === 1) {
      const id = idOf("7", number);
      this.threads.push(id);
      this.add(
        "thread.opened",
        { start: place(1), end: place(3), quote: "words" },
        about("thread", id, { fromPhase: "absent", toPhase: "open" }),
      );
    } else if (choice === 2 && thread) {
      const id = idOf("8", number);
      this.comments.push({ id, by: unhashed(number + 1).actorId });
      this.add(
        "comment.added",
        { thread, text: `Really, ${number}?` },
        about("comment", id, { fromPhase: "absent", toPhase: "shown" }),
      );
    } else if (choice === 3 && thread)
      this.add(
        "thread.resolved",
        {},
        about("thread", thread, { fromPhase: "open", toPhase: "resolved" }),
      );
    else if (choice === 4 && comment)
      this.add(
        "comment.edited",
        { text: "Not really." },
        about("comment", comment.id, { actorId: comment.by, fromPhase: "shown", toPhase: "shown" }),
      );
    else if (choice === 5) {
      const id = idOf("9", number);
      this.versions.push(id);
      this.add(
        "version.named",
        { at: number, name: `Draft ${number}` },
        about("version", id, { fromPhase: "absent", toPhase: "named" }),
      );
    } else if (choice === 6 && version)
      this.add(
        "version.renamed",
        { name: "As sent" },
        about("version", version, { fromPhase: "named", toPhase: "named" }),
      );
    else if (choice === 7 && version)
      this.add(
        "version.pinned",
        {},
        about("version", version, { fromPhase: "named", toPhase: "pinned" }),
      );
    else if (choice === 8) {
      this.add(
        this.phase === "live" ? "document.trashed" : "document.restored",
        {},
        { fromPhase: this.phase, toPhase: this.phase === "live" ? "trashed" : "live" },
      );
      this.phase = this.rows.at(-1)?.toPhase ?? "live";
    } else if (choice === 9) this.redact();
    else if (choice === 10) this.foreign();
  }

  /** Adds an edit under another author's client id, which every reader rejects. */
  private foreign(): void {
    const doc = new Y.Doc();
    doc.clientID = 7;
    doc.getText("elsewhere").insert(0, "Not by me");
    if (this.known.has(7))
      this.add(
        "document.edited",
        {},
        { actorId: idOf("a", 9), update: Y.encodeStateAsUpdate(doc) },
      );
  }
}

/** Returns the rows of a history, hashed as in its log. */
export function importedRows({
  gestures,
  apart,
  actions,
  forked,
}: ImportedSample): Promise<Ruled[]> {
  const writer = new HistoryWriter();
  writer.add("document.created", { workspaceId: unhashed(1).workspaceId, title: "First title" });
  if (forked) writer.copyIn();
  const edits = richEdits(gestures, apart);
  const clients = [...new Set(edits.map(({ client }) => client))];
  const open: { client: number; updates: Uint8Array[] }[] = [];
  const close = () => {
    for (const { client, updates } of open.splice(0))
      writer.write(client, updates, authors[clients.indexOf(client)] ?? ana);
  };
  for (const [index, { client, update }] of edits.entries()) {
    const due = actions.filter(({ after }) => after === index);
    if (due.length > 0) close();
    for (const { choice } of due) writer.act(choice);
    const [last] = open;
    if (last?.client === client && last.updates.length < 4) last.updates.push(update);
    else {
      close();
      open.push({ client, updates: [update] });
    }
  }
  close();
  for (const { after, choice } of actions) if (after >= edits.length) writer.act(choice);
  return hashed(writer.rows);
}
