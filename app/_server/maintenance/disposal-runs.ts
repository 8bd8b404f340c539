import { Counter, register } from "prom-client";
import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { removeObjects } from "@/app/_server/files/stored-files";

/** As many files and uploads a run deletes at most. */
export const disposalsPerRun = 50;

const disposable = z.array(
  z.object({
    bucket: z.enum(["files", "uploads"]),
    names: z.array(z.string()),
    workspace: z.nullable(z.string()),
    sha256: z.nullable(z.string()),
    orphaned: z.boolean(),
  }),
);

const counterName = "palimpsest_files_deleted_total";

/** Of the process: Next loads a module once for each of its bundles. */
export function deletions(): Counter {
  const known = register.getSingleMetric(counterName);
  if (known instanceof Counter) return known;
  return new Counter({
    name: counterName,
    help: "Files deleted from storage: redacted or purged with their document, or orphaned.",
    labelNames: ["why"],
  });
}

/**
 * Deletes the bytes of files that no document has any more, and uploads that nobody came back for;
 * answers how many those were. What cannot be deleted now has its turn in the next run.
 */
export async function disposeFiles(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_disposable", {
    max_count: disposalsPerRun,
  });
  if (error) throw faultOf(error, status);
  const all = disposable.parse(data);
  for (const { bucket, names, workspace, sha256, orphaned } of all) {
    await removeObjects(service, bucket, names);
    if (workspace !== null && sha256 !== null) {
      const forgotten = await service.rpc("forget_disposed", { workspace, sha256 });
      if (forgotten.error) throw faultOf(forgotten.error, forgotten.status);
    }
    deletions().inc({ why: orphaned ? "orphaned" : "removed" });
  }
  return all.length;
}
