import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * The packages that component tests load, bundled before the first test. Vite would otherwise find
 * some of them while tests run, and reload the page.
 */
export const bundledPackages: string[] = [
  "@noble/hashes/sha2.js",
  "@radix-ui/react-dialog",
  "@radix-ui/react-dropdown-menu",
  "@radix-ui/react-select",
  "@radix-ui/react-slider",
  "@radix-ui/react-toast",
  "@radix-ui/react-tooltip",
  "@supabase/supabase-js",
  "@tiptap/core",
  "@tiptap/extension-blockquote",
  "@tiptap/extension-bold",
  "@tiptap/extension-code",
  "@tiptap/extension-code-block",
  "@tiptap/extension-document",
  "@tiptap/extension-hard-break",
  "@tiptap/extension-heading",
  "@tiptap/extension-horizontal-rule",
  "@tiptap/extension-italic",
  "@tiptap/extension-list",
  "@tiptap/extension-list/bullet-list",
  "@tiptap/extension-list/item",
  "@tiptap/extension-list/keymap",
  "@tiptap/extension-list/task-item",
  "@tiptap/extension-list/task-list",
  "@tiptap/extension-paragraph",
  "@tiptap/extension-strike",
  "@tiptap/extension-text",
  "@tiptap/extension-underline",
  "@tiptap/pm/commands",
  "@tiptap/pm/dropcursor",
  "@tiptap/pm/gapcursor",
  "@tiptap/pm/keymap",
  "@tiptap/pm/model",
  "@tiptap/pm/schema-list",
  "@tiptap/pm/state",
  "@tiptap/pm/tables",
  "@tiptap/pm/transform",
  "@tiptap/pm/view",
  "@tiptap/y-tiptap",
  "@xstate/react",
  "axe-core",
  "cmdk",
  "decode-named-character-reference",
  "fflate",
  "fuzzysort",
  "idb",
  "immer",
  "lib0/buffer",
  "lib0/decoding",
  "lib0/encoding",
  "lib0/function",
  "lucide-react",
  "next/link",
  "next/navigation",
  "react",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "uuid",
  "xstate",
  "y-protocols/awareness",
  "y-supabase",
  "yjs",
  "zod/mini",
];

const manifest = new URL("../../../package.json", import.meta.url);
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(manifest, "utf8"),
);

/** Fails with the name of a package that the list lacks, in every run and not by chance. */
export const onlyBundledPackages: Plugin = {
  name: "only-bundled-packages",
  load(id) {
    const [, name] =
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/[^?]*\.[cm]?jsx?(?:\?|$)/.exec(id) ?? [];
    if (name !== undefined && name in dependencies)
      throw new Error(`bundledPackages lacks ${name}, of which a component test loads ${id}`);
  },
};
