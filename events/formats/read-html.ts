import type { Element } from "hast";
import type { Image, PhrasingContent, Root } from "mdast";
import { fromHtml } from "hast-util-from-html";
import { type Handle, toMdast } from "hast-util-to-mdast";
import { type ReadText, readTree, type Sources } from "./read-blocks";

/** Underlining has no sign in the tree between: its ends are. */
const underlined: Handle = (state, node: Element): PhrasingContent[] => [
  { type: "html", value: "<u>" },
  // What stands in a line is read as such.
  ...(state.all(node) as PhrasingContent[]),
  { type: "html", value: "</u>" },
];
/** What shows or does something from elsewhere, and holds no words of the text. */
const nothing: Handle = () => undefined;

/** The elements of these names in another one. */
function elementsIn({ children }: Element, names: readonly string[]): Element[] {
  return children.flatMap((child) => {
    if (child.type !== "element") return [];
    return [...(names.includes(child.tagName) ? [child] : []), ...elementsIn(child, names)];
  });
}

function lettersIn({ children }: Element): string {
  return children
    .map((child) => {
      if (child.type === "text") return child.value;
      return child.type === "element" ? lettersIn(child) : "";
    })
    .join("");
}

/** What is written under a picture is its caption. */
const captioned: Handle = (state, node: Element) => {
  const [picture, ...others] = elementsIn(node, ["img", "table", "pre"]);
  if (picture?.tagName !== "img" || others.length > 0) return state.toFlow(state.all(node));
  const title = elementsIn(node, ["figcaption"]).map(lettersIn).join(" ");
  const { src, alt } = picture.properties;
  const image: Image = {
    type: "image",
    url: String(src ?? ""),
    alt: String(alt ?? ""),
    title: title.replace(/\s+/g, " ").trim(),
  };
  return { type: "paragraph", children: [image] };
};

function titleIn(html: string): string | null {
  const title = /<title(?:\s[^<>]*)?>([^<]{1,2000})<\/title>/i.exec(html)?.[1];
  if (title === undefined) return null;
  const [text] = fromHtml(title, { fragment: true }).children;
  const words = text?.type === "text" ? text.value.replace(/\s+/g, " ").trim() : "";
  return words === "" ? null : words;
}

/** What a page of HTML says; nothing that it names is fetched, and no script of it is run. */
export function readHtml(html: string, sources: Sources): ReadText {
  const tree = fromHtml(html);
  const root = toMdast(tree, {
    document: true,
    handlers: {
      u: underlined,
      ins: underlined,
      figure: captioned,
      iframe: nothing,
      video: nothing,
      audio: nothing,
      object: nothing,
      svg: nothing,
    },
  });
  const read = readTree(root as Root, sources);
  return { ...read, title: read.title ?? titleIn(html) };
}
