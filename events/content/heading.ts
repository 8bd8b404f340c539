import { mergeAttributes } from "@tiptap/core";
import { Heading as TiptapHeading } from "@tiptap/extension-heading";
import { bounds, within } from "./text-schema";

/**
 * Headings of three levels. The title is the page's h1, so level 1 renders as h2. `data-level`
 * preserves the level when a heading is copied.
 */
export const Heading = TiptapHeading.extend({
  parseHTML: () =>
    [1, 2, 3, 4, 5, 6].map((number) => ({
      tag: `h${number}`,
      getAttrs: (element: HTMLElement) => ({
        level: Math.min(
          3,
          within(Number(element.getAttribute("data-level") ?? number), bounds.level),
        ),
      }),
    })),
  renderHTML({ node, HTMLAttributes }) {
    const level = within(node.attrs.level, [1, 3]);
    return [`h${level + 1}`, mergeAttributes(HTMLAttributes, { "data-level": level }), 0];
  },
}).configure({ levels: [1, 2, 3] });
