import type { SupabaseClient } from "@supabase/supabase-js";
import { Counter, register } from "prom-client";
import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { removeObjects } from "@/app/_server/files/stored-files";
import { throwAll, withEach } from "./with-each";

/** The most files, and the most uploads, deleted per run. */
export const disposalsPerRun = 50;
/**
 * The longest run. It is far below the lease after which another run may take the same objects: by
 * then they could have been uploaded again.
 */
const longestRunMs = 180_000;

const disposable = z.object({
  bucket: z.enum(["files", "uploads"]),
  names: z.array(z.string()),
  workspace: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  takenAt: z.nullable(z.string()),
  orphaned: z.boolean(),
});

const counterName = "palimpsest_files_deleted_total";

/** Returns the counter, registered per process because Next loads a module once per bundle. */
export function deletions(): Counter {
  const known = register.getSingleMetric(counterName);
  if (known instanceof Counter) return known;
  return new Counter({
    name: counterName,
    help: "Files deleted from storage: redacted or purged with their document, orphaned, or pictures of people.",
    labelNames: ["why"],
  });
}

async function dispose(
  service: SupabaseClient,
  { bucket, names, workspace, sha256, takenAt, orphaned }: z.infer<typeof disposable>,
): Promise<void> {
  const own = { workspace, sha256, taken_at: takenAt };
  if (bucket === "files") {
    const { data, error, status } = await service.rpc("may_dispose", own);
    if (error) throw faultOf(error, status);
    if (data !== true) return;
  }
  await removeObjects(service, bucket, names);
  if (bucket === "files") {
    const { error, status } = await service.rpc("forget_disposed", own);
    if (error) throw faultOf(error, status);
  }
  deletions().inc({ why: orphaned ? "orphaned" : "removed" });
}

/**
 * Deletes the bytes of files that no document has any more, and abandoned uploads. Returns the
 * number of deletions. Deletions that fail, or exceed a run's time, are left to a later run. Errors
 * are collected and thrown after everything has been tried.
 */
export async function disposeFiles(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_disposable", {
    max_count: disposalsPerRun,
  });
  if (error) throw faultOf(error, status);
  const all = z.array(disposable).parse(data);
  const end = performance.now() + longestRunMs;
  const faults = await withEach(all, async (each) => {
    if (performance.now() < end) await dispose(service, each);
  });
  throwAll(faults);
  return all.length;
}
