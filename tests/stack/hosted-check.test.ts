import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkProject } from "@/supabase/hosted/project-checks";
import type { Finding, ProjectToCheck } from "@/supabase/hosted/project-checks";
import { releaseVersions } from "@/supabase/local/database/migrations";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";

// The embedded backend replaces the hosted project.
let backend: TestBackend;
let project: ProjectToCheck;
beforeAll(async () => {
  backend = await testBackend();
  project = {
    url: backend.url,
    publishableKey: backend.keys.publishableKey,
    secretKey: backend.keys.secretKey,
    jwtSecret: backend.keys.jwtSecret,
    siteUrl: backend.url,
    versions: await releaseVersions(),
    functions: ["invite"],
  };
});
afterAll(() => backend.stop());

const inState = (findings: Finding[], state: Finding["state"]) =>
  findings.filter((finding) => finding.state === state).map(({ part }) => part);
const sentences = (findings: Finding[]) => findings.map(({ sentence }) => sentence).join("\n");

test("[HOSTED-6] a complete project lacks nothing", async () => {
  const findings = await checkProject(project);
  expect(inState(findings, "missing"), sentences(findings)).toEqual([]);
  expect(inState(findings, "ok")).toEqual(
    expect.arrayContaining([
      "Auth",
      "Sign-up",
      "Tokens",
      "Migrations",
      "Rights",
      "Secret key",
      "Buckets",
      "Realtime",
      "Functions",
    ]),
  );
});

test("[HOSTED-6] each missing part of a project is named", async () => {
  const [bucket] = await backend.sql`
    update storage.buckets set public = true where id = 'avatars' returning id`;
  expect(bucket?.id).toBe("avatars");
  await backend.sql`grant select on workspaces to anon`;
  try {
    const findings = await checkProject({
      ...project,
      jwtSecret: null,
      versions: [...project.versions, "99990101000000"],
      functions: ["never-deployed"],
    });
    expect(inState(findings, "missing")).toEqual(["Migrations", "Rights", "Buckets", "Functions"]);
    expect(sentences(findings)).toContain("99990101000000");
    expect(inState(findings, "warning")).toContain("Tokens");
  } finally {
    await backend.sql`revoke select on workspaces from anon`;
    await backend.sql`update storage.buckets set public = false where id = 'avatars'`;
  }
});

test("[HOSTED-6] keys of another project, a missing secret key and a missing project are named", async () => {
  const without = await checkProject({ ...project, secretKey: null });
  expect(inState(without, "missing")).toEqual(["Secret key"]);
  expect(sentences(without)).toContain("search index");
  const foreign = await checkProject({
    ...project,
    publishableKey: "sb_publishable_of_another",
    secretKey: "sb_secret_of_another",
  });
  expect(inState(foreign, "missing")).toEqual(
    expect.arrayContaining(["Auth", "Migrations", "Secret key", "Buckets", "Realtime"]),
  );
});

test("[HOSTED-6] npm run check:hosted prints a line per part, and exits with 1 if one is missing", async () => {
  const run = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "supabase/hosted/check.ts"], {
      env: { ...process.env, ...env },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  const named = {
    NEXT_PUBLIC_SUPABASE_URL: backend.url,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: backend.keys.publishableKey,
  };
  const complete = await run({ ...named, SUPABASE_SECRET_KEY: backend.keys.secretKey });
  expect(complete).toMatchObject({ code: 0 });
  expect(complete.stdout).toMatch(/^ok +Migrations +All \d+ are applied\.$/m);
  const incomplete = await run(named);
  expect(incomplete).toMatchObject({ code: 1 });
  expect(incomplete.stdout).toMatch(/^MISSING +Secret key/m);
  expect(await run({})).toMatchObject({ code: 1 });
});
