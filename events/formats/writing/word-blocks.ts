import {
  AlignmentType,
  BorderStyle,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import type { ILevelsOptions, IParagraphOptions, ParagraphChild } from "docx";
import { bounds, within } from "@/events/content/text-schema";
import { placedImage } from "./file-images";
import type { FileImages, PlacedImage } from "./file-images";
import { inWords } from "./file-words";
import { isFromTheRight, xmlLetters } from "./letters";
import type { FileLinks } from "./phrasing";
import { elementsOf, isText, lettersOf } from "./text-tree";
import type { TreeElement, TreeNode } from "./text-tree";
import { codeFont, wordRuns } from "./word-runs";

type WordBlock = Paragraph | Table;
type Numbering = { reference: string; levels: ILevelsOptions[] };

const indent = 360;
/** The text area of a page in Word's default size and margins, in pixels at 96 per inch. */
const textArea = { width: 602, height: 840 };
const noImages: FileImages = new Map();
const sides = { center: "CENTER", right: "RIGHT" } as const;
const deepestLevel = 8;
const bulletLetters = ["•", "◦", "▪"];
const headings = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const;

function levelsOf(
  format: (typeof LevelFormat)[keyof typeof LevelFormat],
  text: (level: number) => string,
  start: number,
): ILevelsOptions[] {
  return Array.from({ length: deepestLevel + 1 }, (_level, level) => ({
    level,
    format,
    text: text(level),
    start,
    style: { paragraph: { indent: { left: indent * (level + 1), hanging: indent } } },
  }));
}

const bullets: Numbering = {
  reference: "bullets",
  levels: levelsOf(
    LevelFormat.BULLET,
    (level) => bulletLetters[level % bulletLetters.length] ?? "•",
    1,
  ),
};

/** A block's position: its indent, its depth in lists, and whether it is quoted. */
type Place = { inset: number; level: number; quoted: boolean };
type First = Pick<IParagraphOptions, "numbering"> & { sign?: string };

/** Builds a text's blocks for Word, with the numberings of its lists. */
export class WordBlocks {
  readonly numberings: Numbering[] = [bullets];
  private readonly links: FileLinks;

  constructor(links: FileLinks) {
    this.links = links;
  }

  /** Builds the blocks of these nodes. */
  of(
    nodes: readonly TreeNode[],
    place: Place = { inset: 0, level: 0, quoted: false },
  ): WordBlock[] {
    return elementsOf(nodes).flatMap((element) => this.block(element, place));
  }

  private paragraph(
    children: ParagraphChild[],
    words: string,
    place: Place,
    options: IParagraphOptions = {},
  ): Paragraph {
    return new Paragraph({
      children,
      ...(isFromTheRight(words) && { bidirectional: true }),
      ...(place.inset > 0 && !options.numbering && { indent: { left: place.inset * indent } }),
      ...(place.quoted && {
        border: { left: { style: BorderStyle.SINGLE, size: 12, space: 8, color: "A0A0A0" } },
      }),
      ...options,
    });
  }

  private block(written: TreeElement, place: Place, first: First = {}): WordBlock[] {
    const placed = placedImage(written, this.links.images ?? noImages, textArea);
    if (placed) return this.image(placed, place, first);
    const element = inWords(written);
    const { name, attributes, children } = element;
    const { sign, ...numbered } = first;
    const runs = () => [
      ...(sign === undefined ? [] : [new TextRun({ text: sign })]),
      ...wordRuns(children, this.links),
    ];
    switch (name) {
      case "paragraph":
        return [this.paragraph(runs(), lettersOf(children), place, numbered)];
      case "heading": {
        const heading = headings[within(attributes.level, [1, 3]) - 1] ?? headings[0];
        return [this.paragraph(runs(), lettersOf(children), place, { heading })];
      }
      case "codeBlock":
        return [this.code(lettersOf(children), place)];
      case "blockquote":
        return this.of(children, { ...place, inset: place.inset + 1, quoted: true });
      case "bulletList":
      case "orderedList":
      case "taskList":
        return this.list(element, place);
      case "table":
        return this.table(element);
      case "horizontalRule":
        return [
          new Paragraph({
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: "A0A0A0" } },
          }),
        ];
      default:
        return children.some(isText)
          ? [this.paragraph(runs(), lettersOf(children), place)]
          : this.of(children, place);
    }
  }

  private image(
    { image, attributes, width, height }: PlacedImage,
    place: Place,
    { sign, ...numbered }: First,
  ): WordBlock[] {
    const { alt, caption, align } = attributes;
    const altText = xmlLetters(alt);
    const picture = new ImageRun({
      type: image.type === "image/png" ? "png" : "jpg",
      data: image.bytes,
      transformation: { width, height },
      altText: { name: altText || "Image", description: altText, title: "" },
    });
    const alignment = align === "left" ? {} : { alignment: AlignmentType[sides[align]] };
    const before = sign === undefined ? [] : [new TextRun({ text: sign })];
    const block = this.paragraph([...before, picture], "", place, { ...alignment, ...numbered });
    if (caption.trim() === "") return [block];
    const words = new TextRun({ text: xmlLetters(caption), size: 19, color: "606060" });
    return [block, this.paragraph([words], caption, place, alignment)];
  }

  private code(text: string, place: Place): Paragraph {
    const lines = xmlLetters(text).split(/\r\n?|\n/);
    return this.paragraph(
      lines.map(
        (line, index) =>
          new TextRun({ text: line, font: codeFont, ...(index > 0 && { break: 1 }) }),
      ),
      "",
      place,
      { style: "Code" },
    );
  }

  private list(element: TreeElement, place: Place): WordBlock[] {
    const level = Math.min(place.level, deepestLevel);
    const inside: Place = { ...place, inset: place.inset + 1, level: place.level + 1 };
    const numbering = { reference: this.numberingOf(element), level };
    return elementsOf(element.children).flatMap((item) => {
      const [head, ...rest] = elementsOf(item.children);
      const sign = String(item.attributes.checked) === "true" ? "☑ " : "☐ ";
      const first = element.name === "taskList" ? { sign } : { numbering };
      return [...(head ? this.block(head, inside, first) : []), ...this.of(rest, inside)];
    });
  }

  private numberingOf({ name, attributes }: TreeElement): string {
    if (name !== "orderedList") return bullets.reference;
    const start = within(attributes.start, bounds.start);
    const reference = `numbers-${this.numberings.length}`;
    const levels = levelsOf(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, start);
    this.numberings.push({ reference, levels });
    return reference;
  }

  private table(element: TreeElement): WordBlock[] {
    const rows = elementsOf(element.children).map(
      (row) =>
        new TableRow({
          children: elementsOf(row.children).map(({ name, attributes, children }) => {
            const content = this.of(children);
            return new TableCell({
              columnSpan: within(attributes.colspan, bounds.span),
              rowSpan: within(attributes.rowspan, bounds.span),
              ...(name === "tableHeader" && { shading: { fill: "F0F0F0" } }),
              // Word treats a file as corrupt if a cell does not end with a paragraph.
              children:
                content.at(-1) instanceof Paragraph ? content : [...content, new Paragraph({})],
            });
          }),
        }),
    );
    const filled = rows.filter(({ CellCount }) => CellCount > 0);
    return filled.length === 0
      ? []
      : [
          new Table({ rows: filled, width: { size: 100, type: WidthType.PERCENTAGE } }),
          new Paragraph({}),
        ];
  }
}
