import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * The packages that component tests load, bundled before the first test. Vite would otherwise find
 * some of them while tests run, and reload the page.
 */
export const bundledPackages: string[] = [
  "@radix-ui/react-dialog",
  "@radix-ui/react-dropdown-menu",
  "axe-core",
  "lucide-react",
  "react",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "react-dom",
  "react-dom/client",
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
