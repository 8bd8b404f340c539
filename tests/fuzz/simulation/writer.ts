import * as Y from "yjs";
import type { seededRandom } from "@/events/core/virtual-clock.fixture";
import type { Proposal } from "@/events/core/envelope";
import { encodeEdits } from "@/events/crdt/payload/payload";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { Ledger } from "./ledger";

type Random = ReturnType<typeof seededRandom>;

/** An edit made without a page. */
export function foreignEdit(random: Random, time: number): Proposal {
  const doc = new Y.Doc();
  doc.clientID = random.clientId();
  doc.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
  return {
    id: random.uuid(),
    type: "document.edited",
    body: {},
    update: encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time }]),
    clientIds: [doc.clientID],
  };
}

/** A person's edits to the text of a page. */
export class Writer {
  /** The letters typed here since the last "Saved". */
  readonly unsaved = new Set<string>();
  private readonly user: string;
  private readonly live: LiveDocument;
  private readonly random: Random;
  private readonly ledger: Ledger;

  constructor(
    user: string,
    live: LiveDocument,
    { random, ledger }: { random: Random; ledger: Ledger },
  ) {
    this.user = user;
    this.live = live;
    this.random = random;
    this.ledger = ledger;
  }

  /** Writes a block that only a newer build knows, with a letter. */
  writeNew(): void {
    const block = new Y.XmlElement("callout");
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(this.letters(1))]);
    block.insert(0, [paragraph]);
    this.live.fragment.insert(this.random.below(this.live.fragment.length + 1), [block]);
    this.ledger.count("newSchema");
  }

  type(): void {
    const { random } = this;
    const text = this.letters(1 + random.below(3));
    this.live.doc.transact(() => {
      let textblock = random.chance(0.15) ? undefined : this.someTextblock();
      if (!textblock) {
        const block = new Y.XmlElement(random.chance(0.2) ? "heading" : "paragraph");
        textblock = new Y.XmlText();
        block.insert(0, [textblock]);
        this.live.fragment.insert(random.below(this.live.fragment.length + 1), [block]);
      }
      textblock.insert(random.below(textblock.length + 1), text);
    });
  }

  erase(): void {
    const { random, ledger } = this;
    const textblock = this.someTextblock();
    if (!textblock || textblock.length === 0) return;
    const at = random.below(textblock.length);
    const length = 1 + random.below(Math.min(3, textblock.length - at));
    for (const letter of plain(textblock).slice(at, at + length)) ledger.erased.add(letter);
    ledger.count("erased", length);
    textblock.delete(at, length);
  }

  format(): void {
    const { random, ledger } = this;
    const textblock = this.someTextblock();
    if (!textblock || textblock.length === 0) return;
    const at = random.below(textblock.length);
    const bold = random.chance(0.5) ? {} : null;
    textblock.format(at, 1 + random.below(textblock.length - at), { bold });
    ledger.count("formatted");
  }

  private letters(count: number): string {
    let text = "";
    for (let left = count; left > 0; left -= 1) text += this.ledger.typed(this.user);
    for (const letter of text) this.unsaved.add(letter);
    return text;
  }

  private someTextblock(): Y.XmlText | undefined {
    const textblocks = this.live.fragment.toArray().flatMap((node) => {
      const textblock = node instanceof Y.XmlElement ? node.get(0) : null;
      return textblock instanceof Y.XmlText ? [textblock] : [];
    });
    return textblocks[this.random.below(textblocks.length)];
  }
}

const plain = (textblock: Y.XmlText): string =>
  textblock
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === "string" ? insert : ""))
    .join("");
