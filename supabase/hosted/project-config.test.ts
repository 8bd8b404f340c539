import { readFile } from "node:fs/promises";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { z } from "zod";
import { readProjectConfig } from "@/supabase/local/config";

it("[HOSTED-3] config.toml has no key that a version of the CLI refuses", async () => {
  const text = await readFile("supabase/config.toml", "utf8");
  const stated = z
    .object({ auth: z.object({ email: z.record(z.string(), z.unknown()) }) })
    .parse(parse(text));
  expect(Object.keys(stated.auth.email)).not.toContain("enable_signup");
  const config = await readProjectConfig(process.cwd());
  expect(config.auth.enable_signup && config.auth.email.enable_signup).toBe(true);
});
