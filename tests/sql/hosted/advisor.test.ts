import { afterAll, beforeAll, expect, it } from "vitest";
import { applyMigrations } from "@/supabase/local/database/migrations";
import { advisorRules } from "./advisor-rules";
import { hostedDatabase } from "./hosted-database";
import type { HostedDatabase } from "./hosted-database";

let db: HostedDatabase;
beforeAll(async () => {
  db = await hostedDatabase();
  await applyMigrations(db.owner);
});
afterAll(() => db.stop());

it.each(Object.entries(advisorRules))(
  "[HOSTED-1] the advisor reports nothing for a hosted project: %s",
  async (_name, { level, query, except = {} }) => {
    if (level === "ERROR") expect(except).toEqual({});
    const found = (await db.admin.unsafe(query)).map(({ offender }) => String(offender));
    expect(found.sort()).toEqual(Object.keys(except).sort());
  },
);
