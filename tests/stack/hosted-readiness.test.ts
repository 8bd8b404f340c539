import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseVersions } from "@/supabase/local/database/migrations";
import { hostedChecks } from "@/supabase/local/operations/hosted-checks";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";

// The embedded backend replaces the hosted project: anon has the same rights in both.
let project: TestBackend;
beforeAll(async () => {
  project = await testBackend();
});
afterAll(() => project.stop());

test("[OPS-2] a project with every migration is ready with its publishable key", async () => {
  const checks = hostedChecks(project.url, project.keys.publishableKey, await releaseVersions());
  await checks.auth();
  await checks.migrations();
});

test("[OPS-2] a project that lacks a migration is not ready", async () => {
  const versions = [...(await releaseVersions()), "99990101000000"];
  const checks = hostedChecks(project.url, project.keys.publishableKey, versions);
  await checks.auth();
  await expect(checks.migrations()).rejects.toThrow("A migration is missing");
});

test("[OPS-2] a wrong key fails the migration check", async () => {
  const checks = hostedChecks(project.url, "sb_publishable_of_another", await releaseVersions());
  await expect(checks.migrations()).rejects.toThrow("401");
});
