import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, it } from "vitest";

// The files that are asked about do not exist, so the rules that need types have nothing to go by.
const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });

async function complaints(filePath: string, code: string) {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId);
}

describe("the direction of imports", () => {
  it.each([
    ["events/intruder.ts", "import layout from '../app/layout'\nexport const y = layout\n"],
    ["machines/intruder.ts", "import layout from '@/app/layout'\nexport const y = layout\n"],
    [
      "machines/intruder.ts",
      "import type { SupabaseClient } from '@supabase/supabase-js'\nexport type X = SupabaseClient\n",
    ],
    [
      "components/intruder.tsx",
      "import { createClient } from '@supabase/supabase-js'\nexport const y = createClient\n",
    ],
    ["supabase/intruder.ts", "import layout from '../app/layout'\nexport const y = layout\n"],
  ])("[HOUSE-1] lint refuses an import against the arrow in %s", async (path, code) => {
    expect(await complaints(path, code)).toContain("boundaries/dependencies");
  });

  it("[HOUSE-1] lint lets an import along the arrow pass", async () => {
    expect(
      await complaints("app/guest.tsx", "import { x } from '../events/log'\nexport const y = x\n"),
    ).not.toContain("boundaries/dependencies");
  });

  it.each([
    "payload/redactable-words",
    "payload/repeated-words",
    "payload/payload",
    "redaction",
    "yjs/yjs-update",
  ])("[START-23] lint refuses a route that takes payloads apart with events/%s", async (module) => {
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
  ])("[HOUSE-4] lint refuses %s, which a page on plain http does not have", async (code) => {
    for (const path of ["components/guest.tsx", "events/guest.ts", "app/guest.tsx"]) {
      expect(await complaints(path, `export const y = ${code}\n`)).toContain(
        "no-restricted-properties",
      );
    }
  });
});
