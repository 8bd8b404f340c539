import { Image, Link, Text, View } from "@react-pdf/renderer";
import type { ReactNode } from "react";
import { pathOfTarget } from "@/events/content/document-address";
import { targetOf } from "@/events/content/document-link";
import { bounds, within } from "@/events/content/text-schema";
import { placedImage } from "@/events/formats/writing/file-images";
import type { FileImages, PlacedImage } from "@/events/formats/writing/file-images";
import { inWords } from "@/events/formats/writing/file-words";
import { isFromTheRight } from "@/events/formats/writing/letters";
import { addressOf } from "@/events/formats/writing/phrasing";
import type { FileLinks } from "@/events/formats/writing/phrasing";
import { elementsOf, isText, lettersOf } from "@/events/formats/writing/text-tree";
import type { TreeElement, TreeNode, TreeText } from "@/events/formats/writing/text-tree";
import { addressIn } from "@/events/formats/writing/word-runs";
import { pdfStyle } from "./pdf-style";

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

type Styles = (typeof pdfStyle)[keyof typeof pdfStyle][];

/** The direction, which must be repeated on every run of a line. */
type Direction = { direction?: "rtl"; textAlign?: "right" };
const directionOf = (nodes: readonly TreeNode[]): Direction =>
  isFromTheRight(lettersOf(nodes)) ? { direction: "rtl", textAlign: "right" } : {};

/** The targets of links, and the fonts that cover the text's code. */
type Setting = { links: FileLinks; codeFonts: string[] };

function runStyles({ marks }: TreeText, { codeFonts }: Setting) {
  const has = (name: string) => marks[name] !== undefined;
  const styles: (Styles[number] | { fontFamily: string[] })[] = [];
  if (has("bold")) styles.push(pdfStyle.bold);
  if (has("italic")) styles.push(pdfStyle.italic);
  if (has("code")) styles.push(pdfStyle.code, { fontFamily: codeFonts });
  return styles;
}

function run(text: TreeText, setting: Setting, key: number, direction: Direction): ReactNode {
  const href = addressOf(text.marks.link);
  const address = href === null ? null : addressIn(href, setting.links.origin);
  const lines = [text.marks.underline && "underline", text.marks.strike && "line-through"];
  const textDecoration = lines.filter((line) => typeof line === "string").join(" ");
  const styles = [
    ...runStyles(text, setting),
    direction,
    ...(textDecoration === "" ? [] : [{ textDecoration }]),
  ];
  return address === null ? (
    // The list holds the styles above, plus underline or strike-through.
    <Text key={key} style={styles as Styles}>
      {text.text.replace(controls, " ")}
    </Text>
  ) : (
    <Link key={key} src={address} style={[...runStyles(text, setting), direction, pdfStyle.link]}>
      {text.text.replace(controls, " ")}
    </Link>
  );
}

function words(nodes: readonly TreeNode[], setting: Setting): ReactNode[] {
  const direction = directionOf(nodes);
  return nodes.map((node, index) => {
    if (isText(node)) return run(node, setting, index, direction);
    if (node.name === "hardBreak") return "\n";
    const target = node.name === "documentLink" ? targetOf(node.attributes) : null;
    if (target === null) return null;
    const { words: name, state } = setting.links.nameOf(target.document);
    return state === "closed" ? (
      name
    ) : (
      <Link
        key={index}
        src={`${setting.links.origin}${pathOfTarget(target)}`}
        style={pdfStyle.link}
      >
        {name}
      </Link>
    );
  });
}

function signOf(list: TreeElement, item: TreeElement, index: number): string {
  if (list.name === "taskList") return String(item.attributes.checked) === "true" ? "☑" : "☐";
  return list.name === "orderedList"
    ? `${within(list.attributes.start, bounds.start) + index}.`
    : "•";
}

function list(element: TreeElement, setting: Setting, key: number): ReactNode {
  return (
    <View key={key}>
      {elementsOf(element.children).map((item, index) => (
        <View key={index} style={pdfStyle.item}>
          <Text style={pdfStyle.sign}>{signOf(element, item, index)}</Text>
          <View style={pdfStyle.content}>{pdfBlocks(item.children, setting)}</View>
        </View>
      ))}
    </View>
  );
}

function table(element: TreeElement, setting: Setting, key: number): ReactNode {
  return (
    <View key={key} style={pdfStyle.table}>
      {elementsOf(element.children).map((row, index) => (
        <View key={index} style={pdfStyle.row} wrap={false}>
          {elementsOf(row.children).map(({ name, attributes, children }, column) => (
            <View
              key={column}
              style={[
                pdfStyle.cell,
                { flex: within(attributes.colspan, bounds.span) },
                ...(name === "tableHeader" ? [pdfStyle.head] : []),
              ]}
            >
              {pdfBlocks(children, setting)}
            </View>
          ))}
        </View>
      ))}
    </View>
  );
}

/** The area within the margins of an A4 page, in points. */
const textArea = { width: 451, height: 680 };
const noImages: FileImages = new Map();
const sides = { left: "flex-start", center: "center", right: "flex-end" } as const;

function image(placed: PlacedImage, key: number): ReactNode {
  const { attributes, width, height, image: picture } = placed;
  const caption = attributes.caption.trim().replace(controls, " ");
  const format = picture.type === "image/png" ? "png" : "jpg";
  return (
    <View key={key} style={[pdfStyle.image, { alignItems: sides[attributes.align] }]} wrap={false}>
      <Image src={{ data: Buffer.from(picture.bytes), format }} style={{ width, height }} />
      {caption !== "" && <Text style={pdfStyle.caption}>{caption}</Text>}
    </View>
  );
}

const headings = [pdfStyle.heading1, pdfStyle.heading2, pdfStyle.heading3];

function block(element: TreeElement, setting: Setting, key: number, isLast: boolean): ReactNode {
  const { name, attributes, children } = element;
  switch (name) {
    case "heading": {
      const style = headings[within(attributes.level, [1, 3]) - 1] ?? pdfStyle.heading1;
      return (
        <Text key={key} style={[style, directionOf(children)]} minPresenceAhead={isLast ? 0 : 40}>
          {words(children, setting)}
        </Text>
      );
    }
    case "codeBlock":
      return (
        <Text key={key} style={[pdfStyle.block, { fontFamily: setting.codeFonts }]}>
          {lettersOf(children).replace(/\t/g, "    ")}
        </Text>
      );
    case "blockquote":
      return (
        <View key={key} style={pdfStyle.quote}>
          {pdfBlocks(children, setting)}
        </View>
      );
    case "bulletList":
    case "orderedList":
    case "taskList":
      return list(element, setting, key);
    case "table":
      return table(element, setting, key);
    case "horizontalRule":
      return <View key={key} style={pdfStyle.rule} />;
    default:
      if (
        elementsOf(children).some(
          (child) => child.name !== "hardBreak" && child.name !== "documentLink",
        )
      )
        return <View key={key}>{pdfBlocks(children, setting)}</View>;
      return (
        <Text key={key} style={[pdfStyle.text, directionOf(children)]}>
          {children.length === 0 ? " " : words(children, setting)}
        </Text>
      );
  }
}

/** Renders the blocks of a text as PDF elements. */
export function pdfBlocks(nodes: readonly TreeNode[], setting: Setting): ReactNode[] {
  const elements = elementsOf(nodes);
  return elements.map((element, index) => {
    const placed = placedImage(element, setting.links.images ?? noImages, textArea);
    return placed
      ? image(placed, index)
      : block(inWords(element), setting, index, index === elements.length - 1);
  });
}
