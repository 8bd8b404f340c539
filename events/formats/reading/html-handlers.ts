import type { Element, ElementContent, Parents, Root as Page } from "hast";
import { defaultHandlers, defaultNodeHandlers } from "hast-util-to-mdast";
import type { Handle, Options, State } from "hast-util-to-mdast";
import type { Image, PhrasingContent, RootContent } from "mdast";
import { mostAboutPicture } from "./read-phrasing";
import { tableHandle } from "./html-table";
import { wordsIn } from "./seen-html";
import { isWords } from "./words-of-tree";

declare module "mdast" {
  interface EmphasisData {
    isUnderline?: boolean;
  }
}

const underlined: Handle = (state, node: Element) => ({
  type: "emphasis",
  // The content of an inline element is inline.
  children: state.all(node) as PhrasingContent[],
  data: { isUnderline: true },
});

/** Returns the descendants of an element with these tag names. */
function elementsIn({ children }: Element, names: readonly string[]): Element[] {
  return children.flatMap((child) => {
    if (child.type !== "element") return [];
    return [...(names.includes(child.tagName) ? [child] : []), ...elementsIn(child, names)];
  });
}

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

/** Reads the text under an image as its caption, if the figure holds nothing else. */
const figure: Handle = (state, node: Element) => {
  const [picture, ...others] = elementsIn(node, ["img", "input"]);
  const captions = elementsIn(node, ["figcaption"]);
  const title = spaced(captions.map(wordsIn).join(" "));
  const isPlain =
    picture?.tagName === "img" &&
    others.length === 0 &&
    spaced(wordsIn(node)).replaceAll(" ", "") === title.replaceAll(" ", "") &&
    title.length <= mostAboutPicture;
  if (!isPlain) return state.toFlow(state.all(node));
  const { src, alt } = picture.properties;
  const image: Image = { type: "image", url: String(src ?? ""), alt: String(alt ?? ""), title };
  return { type: "paragraph", children: [image] };
};

function withoutEndBreaks(content: readonly RootContent[]): RootContent[] {
  const isBreak = ({ type }: RootContent) => type === "break";
  const from = content.findIndex((node) => !isBreak(node));
  return from < 0 ? [] : content.slice(from, content.findLastIndex((node) => !isBreak(node)) + 1);
}

/** Returns a handler that keeps blocks inside inline elements, as in careless pages, as blocks. */
function holdingWords(wrap: (words: PhrasingContent[], node: Element) => RootContent): Handle {
  return (state, node: Element) => {
    const content = state.all(node);
    if (!content.every(isWords)) return state.toFlow(content);
    const words = withoutEndBreaks(content);
    // All words are phrasing content, which the library's types cannot express.
    return words.length === 0 ? undefined : wrap(words as PhrasingContent[], node);
  };
}

const paragraph = holdingWords((children) => ({ type: "paragraph", children }));
const depths = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 } as const;
const headings = Object.entries(depths).map(([name, depth]): [string, Handle] => [
  name,
  holdingWords((children) => ({ type: "heading", depth, children })),
]);

const codeTags = ["code", "kbd", "pre", "samp", "tt", "var"];
/** Elements that code cannot hold, since code is plain letters. */
const noLetters = ["a", "img", "input", "select", "table", "textarea"];

/** Code with such elements is read as ordinary content. */
const codes = codeTags.map((name): [string, Handle] => [
  name,
  (state, node: Element) => {
    const own = name === "pre" ? defaultHandlers.pre : defaultHandlers.code;
    if (elementsIn(node, noLetters).length === 0) return own(state, node);
    return name === "pre" ? state.toFlow(state.all(node)) : state.all(node);
  },
]);

const isItem = (node: ElementContent): node is Element =>
  node.type === "element" && node.tagName === "li";

/** Splits a list whose items break its numbering into several lists with separate starts. */
const ordered: Handle = (state, node: Element) => {
  const first = Number.parseInt(String(node.properties.start ?? 1), 10);
  let next = Number.isNaN(first) ? 1 : first;
  const lists: Element[] = [{ ...node, children: [] }];
  for (const child of node.children) {
    if (isItem(child)) {
      const value = Number.parseInt(String(child.properties.value ?? ""), 10);
      const last = lists.at(-1);
      if (!Number.isNaN(value) && value !== next && last) {
        const properties = { ...node.properties, start: value };
        if (last.children.some(isItem)) lists.push({ ...node, properties, children: [] });
        else last.properties = properties;
        next = value;
      }
      next += 1;
    }
    lists.at(-1)?.children.push(child);
  }
  return lists.flatMap((list) => defaultHandlers.ol(state, list) ?? []);
};

/**
 * Does the same as the library's own function, which passes nodes as arguments and fails on a
 * hundred thousand.
 */
function allOf(this: State, parent: Parents): RootContent[] {
  const content: RootContent[] = [];
  for (const child of parent.children) {
    const made = this.one(child, parent);
    // Handlers return content nodes for the content nodes of their element.
    for (const one of Array.isArray(made) ? made : made ? [made] : [])
      content.push(one as RootContent);
  }
  return content;
}

const nothing: Handle = () => undefined;
const flow: Handle = (state, node) => state.toFlow(state.all(node));

/** Returns the handlers by which each element of a page is read. */
export function htmlHandlers(left: (what: string) => void): Options {
  return {
    handlers: {
      u: underlined,
      ins: underlined,
      figure,
      ol: ordered,
      p: paragraph,
      summary: paragraph,
      ...Object.fromEntries([...headings, ...codes]),
      table: tableHandle(left),
      caption: flow,
      dialog: flow,
      menu: defaultHandlers.ul,
      base: nothing,
    },
    nodeHandlers: {
      root(state, node: Page) {
        state.all = allOf;
        return defaultNodeHandlers.root(state, node);
      },
    },
  };
}
