import * as Y from "yjs";
import { expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { memoryOutbox } from "@/events/device/outbox";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { DraftDocument } from "./draft-document";
import { openDocument } from "../open-document";

const documentId = "00000000-0000-4000-8000-00000000d0c5";
const state = Y.encodeStateAsUpdate(new Y.Doc());

function written(draft: DraftDocument, text: string) {
  draft.doc.transact(() => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(text)]);
    draft.fragment.push([paragraph]);
  });
}

function world() {
  const clock = new VirtualClock();
  const random = seededRandom(11);
  const backend = new MemoryBackend(clock, random);
  backend.allow("ana", "editor");
  const outbox = memoryOutbox();
  const open = (mayWrite = true, onChange = () => {}) => {
    const box = outbox.open({ userId: "ana", documentId });
    return {
      box,
      draft: new DraftDocument({ initial: { state }, box, clock, random, mayWrite, onChange }),
    };
  };
  return { clock, random, backend, outbox, open };
}

it(
  "[EDIT-11] brings text that was written before the connection into the log, " +
    "in the same document",
  async () => {
    const { clock, random, backend, open } = world();
    const { box, draft } = open();
    written(draft, "first");
    await clock.advance(400);
    written(draft, "second");
    expect(draft.count).toBe(2);
    const { doc } = draft;
    const tab = backend.tab("ana", "1");
    const live = openDocument({
      documentId,
      userId: "ana",
      store: tab.store(),
      channels: tab.channels(),
      outbox: { open: () => box },
      clock,
      random,
      schemaVersion: 1,
      initial: { version: 0, state },
      draft,
    });
    expect(live.doc).toBe(doc);
    expect(draft.count).toBe(0);
    written(draft, "third");
    await clock.advance(5_000);
    const confirmed = new ConfirmedDocument(null);
    for (const row of backend.log(documentId)) confirmed.integrate(row);
    expect(confirmed.doc.getXmlFragment("default").toString()).toBe(
      "<paragraph>first</paragraph><paragraph>second</paragraph><paragraph>third</paragraph>",
    );
    expect(live.sync.getSnapshot().context.pending).toBe(0);
  },
);

it(
  "[SYNC-5] reports nothing after it is taken over, so that edits stored in " +
    "between do not pass for saved",
  async () => {
    const heard: number[] = [];
    const { box, draft } = world().open(true, () => heard.push(draft.count));
    written(draft, "first");
    expect(draft.take()).toHaveLength(1);
    await box;
    await expect.poll(() => draft.stored).toBe(true);
    expect(heard).toEqual([1]);
  },
);

it("[EDIT-11] leaves its text on the device when the tab dies before the connection", async () => {
  const { outbox, open } = world();
  const { box, draft } = open();
  written(draft, "kept");
  await expect.poll(() => draft.stored).toBe(true);
  outbox.crash(await box);
  const next = await outbox.open({ userId: "ana", documentId });
  const records = await next.takeOverLeftovers();
  const again = new Y.Doc();
  for (const record of records) if (record.kind === "edit") Y.applyUpdate(again, record.update);
  expect(again.getXmlFragment("default").toString()).toBe("<paragraph>kept</paragraph>");
});

it("records nothing for a reader", () => {
  const { draft } = world().open(false);
  written(draft, "made by an editor alone");
  expect(draft.count).toBe(0);
});

it("[EDIT-11] records text of a reader who became a writer before the connection", () => {
  const { draft } = world().open(false);
  draft.setMayWrite(true);
  written(draft, "let in");
  expect(draft.count).toBe(1);
  draft.setMayWrite(false);
  written(draft, "made by an editor alone");
  expect(draft.count).toBe(1);
});
