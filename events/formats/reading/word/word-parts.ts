import { strToU8 } from "fflate";
import { decodedText } from "../text-encoding";
import { equationWords } from "./word-equations";
import { markNumbers } from "./word-numbers";
import {
  around,
  childOf,
  childrenOf,
  elementOf,
  elementsOf,
  isOn,
  runOf,
  unwrap,
  valueOf,
  wordsIn,
  xmlText,
  xmlTree,
} from "./word-xml";

type Files = Readonly<Record<string, Uint8Array>>;
type Left = (what: string, count?: number) => void;

/** The elements and properties that mammoth reads. All others are unwrapped. */
const read = new Set(
  (
    "w:document w:body w:footnotes w:footnote w:endnotes w:endnote w:comments w:comment w:p w:r w:fldChar w:instrText w:t " +
    "w:tab w:noBreakHyphen w:softHyphen w:sym w:hyperlink w:tbl w:tr w:tc w:footnoteReference " +
    "w:endnoteReference w:commentReference w:br w:bookmarkStart mc:AlternateContent mc:Fallback w:sdt " +
    "w:sdtPr w:sdtContent w:customXml w:ins w:moveTo w:object w:smartTag w:drawing w:pict v:roundrect v:shape " +
    "v:textbox v:group v:rect wp:inline wp:anchor"
  ).split(" "),
);

const isProperties = ({ nodeName }: Element) => /Pr$/.test(nodeName);

function hiddenStyles(styles: Document | null): Set<string> {
  const hidden = (styles ? elementsOf(styles) : []).filter(
    (one) => one.nodeName === "w:style" && isOn(childOf(one, "w:rPr"), "w:vanish"),
  );
  return new Set(hidden.map((one) => one.getAttribute("w:styleId") ?? ""));
}

/** Removes words that Word does not show: deleted, moved away, or hidden words. */
function withoutUnseen(tree: Document, hidden: ReadonlySet<string>, left: Left): void {
  for (const one of elementsOf(tree)) {
    const isDeleted = one.nodeName === "w:del" || one.nodeName === "w:moveFrom";
    const row = isDeleted && one.parentNode?.nodeName === "w:trPr" ? around(one, "w:tr") : one;
    if (isDeleted && row && wordsIn(row) !== "") {
      if (one.nodeName === "w:del") left("deleted passages of tracked changes");
      row.parentNode?.removeChild(row);
    }
    if (one.nodeName !== "w:r" || wordsIn(one) === "") continue;
    const properties = childOf(one, "w:rPr");
    const paragraph = childOf(around(one, "w:p"), "w:pPr");
    const byStyle =
      hidden.has(valueOf(childOf(properties, "w:rStyle")) ?? "") ||
      hidden.has(valueOf(childOf(paragraph, "w:pStyle")) ?? "");
    const says = childOf(properties, "w:vanish") !== null;
    if (!(says ? isOn(properties, "w:vanish") : byStyle)) continue;
    left("hidden passages");
    one.parentNode?.removeChild(one);
  }
}

/** Moves the blocks of text boxes below the paragraph that they are anchored to. */
function withoutBoxes(tree: Document): void {
  const ends = new Map<Element, Node>();
  const boxes = elementsOf(tree).filter(({ nodeName }) => nodeName === "w:txbxContent");
  for (const box of boxes) {
    const choices = around(box, "mc:AlternateContent");
    const isTwice =
      around(box, "mc:Fallback") !== null &&
      choices !== null &&
      childrenOf(choices).some((one) => one.nodeName === "mc:Choice" && one.hasAttribute("boxed"));
    const shape = around(box, "w:drawing", "w:pict", "w:object");
    const paragraph = shape && around(shape, "w:p");
    const choice = around(box, "mc:Choice");
    if (choice) choice.setAttribute("boxed", "");
    if (!paragraph || isTwice) {
      if (isTwice) box.parentNode?.removeChild(box);
      continue;
    }
    for (const one of childrenOf(box)) {
      paragraph.parentNode?.insertBefore(one, (ends.get(paragraph) ?? paragraph).nextSibling);
      ends.set(paragraph, one);
    }
    box.parentNode?.removeChild(box);
  }
}

const shown = new Map([
  ["c:chart", "charts and diagrams"],
  ["cx:chart", "charts and diagrams"],
  ["dgm:relIds", "charts and diagrams"],
  ["w:altChunk", "texts of other formats in a Word file"],
  ["o:OLEObject", "embedded objects"],
]);

/** Replaces elements that mammoth does not know by known elements. */
function withKnownElements(tree: Document, left: Left): void {
  for (const one of elementsOf(tree)) {
    const what = shown.get(one.nodeName);
    if (what !== undefined) left(what);
    if (one.nodeName === "a:t" && (one.textContent ?? "").trim() !== "") left("drawings");
    if (one.nodeName === "m:oMath" && around(one, "m:oMath") === null)
      one.parentNode?.replaceChild(runOf(tree, equationWords(one)), one);
    if (one.nodeName === "w:cr") one.parentNode?.replaceChild(elementOf(tree, "w:br"), one);
    if (one.nodeName === "w:ptab") one.parentNode?.replaceChild(elementOf(tree, "w:tab"), one);
    // Without a fallback, the form that Word itself would show is read.
    if (one.nodeName === "mc:AlternateContent" && childOf(one, "mc:Fallback") === null) unwrap(one);
    if (one.nodeName === "w:ruby") rubyBeside(one, tree);
  }
  for (const one of elementsOf(tree)) {
    if (read.has(one.nodeName) || isProperties(one) || one.parentNode === tree) continue;
    if (around(one, "w:p", "w:body", "w:footnote", "w:endnote") === null) continue;
    const isWord = elementsOf(one).some(({ nodeName }) => /^w:(?:t|p|r)$/.test(nodeName));
    if (isWord) unwrap(one);
  }
}

/** Returns words followed by their ruby text: "漢字(かんじ)". */
function rubyBeside(ruby: Element, tree: Document): void {
  const run = around(ruby, "w:r");
  const base = childOf(ruby, "w:rubyBase");
  const said = wordsIn(childOf(ruby, "w:rt") ?? ruby);
  for (const one of base ? childrenOf(base) : []) run?.parentNode?.insertBefore(one, run);
  run?.parentNode?.insertBefore(runOf(tree, said === "" ? "" : `(${said})`), run);
  ruby.parentNode?.removeChild(ruby);
}

const isText = (name: string) => /^word\/(?:document\d*|footnotes|endnotes)\.xml$/.test(name);

/**
 * Prepares the parts of a Word file: converts all elements that mammoth would skip to elements that
 * it reads. `left` counts the content that is left out.
 */
export function preparedParts(files: Files, left: Left): Record<string, Uint8Array> {
  const treeOf = (name: string) => {
    const bytes = files[name];
    return bytes === undefined ? null : xmlTree(decodedText(bytes));
  };
  const [styles, numbering] = [treeOf("word/styles.xml"), treeOf("word/numbering.xml")];
  const hidden = hiddenStyles(styles);
  const prepared = Object.entries(files).map(([name, bytes]): [string, Uint8Array] => {
    if (
      /^word\/(?:header|footer)\d*\.xml$/.test(name) &&
      /\p{L}/u.test(wordsIn(xmlTree(decodedText(bytes))))
    )
      left("headers and footers");
    if (!isText(name)) return [name, bytes];
    const tree = xmlTree(decodedText(bytes));
    withoutUnseen(tree, hidden, left);
    withoutBoxes(tree);
    withKnownElements(tree, left);
    if (name.startsWith("word/document")) markNumbers(tree, numbering, styles, left);
    return [name, strToU8(xmlText(tree))];
  });
  return Object.fromEntries(prepared);
}

/** Counts mammoth's messages about content that it could not read. */
export function countMessages(messages: readonly { message: string }[], left: Left): void {
  for (const { message } of messages)
    if (message.startsWith("A w:sym element")) left("signs of fonts that no letter stands for");
    else if (/^(?:Could not find image|A v:imagedata)/.test(message)) left("pictures");
}
