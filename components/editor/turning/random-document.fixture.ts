import type { Node } from "@tiptap/pm/model";
import { documentSchema } from "@/events/content/schema";

type Random = () => number;

const { nodes, marks } = documentSchema;
function made(name: string, attrs: Record<string, unknown> | null, content: Node[]): Node {
  const type = nodes[name];
  if (!type) throw new Error(`no ${name}`);
  return type.createChecked(attrs, content);
}

/** Creates random documents of every kind of block, in which no word occurs twice. */
export class RandomDocuments {
  private words = 0;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  private pick<T>(all: readonly T[]): T {
    const one = all[Math.floor(this.random() * all.length)];
    if (one === undefined) throw new Error("The list is empty");
    return one;
  }

  private times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + Math.floor(this.random() * most) }, make);
  }

  private word = () => `w${(this.words += 1)}x`;

  private text(plain = false): Node {
    const bold = marks.bold;
    const isMarked = !plain && this.random() < 0.2 && bold !== undefined;
    return documentSchema.text(
      this.times(3, this.word).join(plain && this.random() < 0.5 ? "\n  " : " "),
      isMarked ? [bold.create()] : [],
    );
  }

  private inline(): Node[] {
    const more =
      this.random() < 0.15
        ? [made("hardBreak", null, []), this.text()]
        : this.random() < 0.05
          ? [
              made("documentLink", { document: "0190c0de-0000-7000-8000-000000000001" }, []),
              this.text(),
            ]
          : [];
    return this.random() < 0.1 ? [] : [this.text(), ...more];
  }

  private paragraph = () => made("paragraph", null, this.inline());

  private item(name: string, depth: number): Node {
    const more = this.random() < 0.35 ? this.times(2, () => this.block(depth + 1)) : [];
    const attrs = name === "taskItem" ? { checked: this.random() < 0.3 } : null;
    return made(name, attrs, [this.paragraph(), ...more]);
  }

  private list(name: string, depth: number): Node {
    const item = name === "taskList" ? "taskItem" : "listItem";
    const attrs = name === "orderedList" ? { start: this.pick([1, 1, 4]) } : null;
    return made(
      name,
      attrs,
      this.times(3, () => this.item(item, depth)),
    );
  }

  private table(depth: number): Node {
    const columns = 1 + Math.floor(this.random() * 3);
    const cell = (name: string) => () =>
      made(
        name,
        null,
        this.random() < 0.7 ? [this.paragraph()] : this.times(2, () => this.block(depth + 2)),
      );
    const row = (name: string) =>
      made("tableRow", null, Array.from({ length: columns }, cell(name)));
    return made("table", null, [row("tableHeader"), ...this.times(3, () => row("tableCell"))]);
  }

  block(depth: number): Node {
    const leaf = () =>
      this.pick([
        this.paragraph,
        this.paragraph,
        () => made("heading", { level: this.pick([1, 2, 3]) }, this.inline()),
        () => made("codeBlock", null, [this.text(true)]),
      ])();
    if (depth > 3 || this.random() < 0.5) return leaf();
    return this.pick([
      () => this.list("bulletList", depth),
      () => this.list("orderedList", depth),
      () => this.list("taskList", depth),
      () =>
        made(
          "blockquote",
          null,
          this.times(3, () => this.block(depth + 1)),
        ),
      () => (depth > 1 ? leaf() : this.table(depth)),
      () => made("horizontalRule", null, []),
      () => made("image", { file: "0190c0de-0000-7000-8000-000000000002", alt: "" }, []),
    ])();
  }

  next = () =>
    made(
      "doc",
      null,
      this.times(6, () => this.block(0)),
    );
}
