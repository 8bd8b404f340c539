import { execFileSync } from "node:child_process";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";
import { layers } from "@/eslint.config.mjs";
import { importCycles } from "@/tests/support/import-cycles";

const eslint = new ESLint();

async function complaints(filePath: string, code: string) {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId);
}

const sources = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture|e2e|d)\./.test(file));
const folders = layers.flat();
/** The folder of the table that a file belongs to: the deepest one that contains it. */
const layerOf = (file: string) =>
  folders
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];
const fileOf = (folder: string) => sources.find((file) => layerOf(file) === folder);
const forbidden = (folder: string) => {
  const height = layers.findIndex((group) => group.includes(folder));
  return layers
    .slice(height)
    .flat()
    .filter((other) => other !== folder);
};

describe("the direction of imports", () => {
  it("[HOUSE-1] every file of these folders has a layer, and every layer has files", () => {
    const layered = sources.filter((file) => /^(events|machines|components)\//.test(file));
    expect(layered.filter((file) => layerOf(file) === undefined)).toEqual([]);
    expect(folders.filter((folder) => fileOf(folder) === undefined)).toEqual([]);
  });

  it.each(folders)(
    "[HOUSE-1] lint refuses imports into %s from above or beside",
    async (folder) => {
      const targets = forbidden(folder).flatMap((other) => fileOf(other) ?? []);
      const lines = targets.flatMap((file, index) => {
        const path = file.replace(/\.tsx?$/, "");
        return [
          `import * as x${index} from "@/${path}";`,
          `import type * as y${index} from "@/${path}";`,
        ];
      });
      const reported = await complaints(`${folder}/intruder.ts`, lines.join("\n"));
      expect(reported.filter((rule) => rule === "boundaries/dependencies")).toHaveLength(
        lines.length,
      );
    },
  );

  it("[HOUSE-1] lint accepts imports from below", async () => {
    for (const [from, to] of [
      ["app/guest.tsx", "@/events/log/log"],
      ["components/comments/guest.tsx", "@/components/ui/button"],
      ["events/proof/guest.ts", "@/events/core/envelope"],
    ] as const)
      expect(await complaints(from, `import * as x from "${to}";\nexport const y = x;\n`)).toEqual(
        [],
      );
  });

  it.each(["machines/intruder.ts", "components/ui/intruder.tsx"])(
    "[HOUSE-1] lint refuses a Supabase client in %s",
    async (path) => {
      const code =
        "import type { SupabaseClient } from '@supabase/supabase-js'\nexport type X = SupabaseClient\n";
      expect(await complaints(path, code)).toContain("boundaries/dependencies");
    },
  );

  it("[HOUSE-12] no file imports itself indirectly", () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it.each([
    "crdt/payload/redactable-words",
    "crdt/payload/repeated-words",
    "crdt/payload/payload",
    "crdt/payload/redaction",
    "crdt/updates/yjs-update",
    "history/timeline/timeline-builder",
  ])("[START-23] lint refuses a route that imports events/%s", async (module) => {
    const code = `import { repeats } from '@/events/${module}'\nexport const y = repeats\n`;
    expect(await complaints("app/d/[document]/redact/route.ts", code)).toContain(
      "no-restricted-imports",
    );
    expect(await complaints("app/_server/workers/tasks.ts", code)).not.toContain(
      "no-restricted-imports",
    );
  });

  it("[HOUSE-2] lint refuses a barrel and an any", async () => {
    expect(await complaints("events/barrel.ts", "export * from './log'\n")).toContain(
      "no-restricted-syntax",
    );
    expect(await complaints("events/loose.ts", "export const x: any = 1\n")).toContain(
      "@typescript-eslint/no-explicit-any",
    );
  });

  it.each([
    "crypto.randomUUID()",
    "globalThis.crypto.randomUUID()",
    "crypto.subtle",
    "navigator.clipboard",
  ])("[HOUSE-4] lint refuses %s, which a page on plain http lacks", async (code) => {
    for (const path of ["components/ui/guest.tsx", "events/core/guest.ts", "app/guest.tsx"]) {
      expect(await complaints(path, `export const y = ${code}\n`)).toContain(
        "no-restricted-properties",
      );
    }
  });
});
