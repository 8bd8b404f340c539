import type { Archive } from "@/supabase/local/backup/archive-reader";
import { tableEntry } from "@/supabase/local/backup/manifest";
import { counted, sizeWords } from "./command";
import type { CheckedLog } from "./log-check";

/** Describes a backup's content in sentences. */
export function contentWords({ about, manifest, size }: Archive, log: CheckedLog): string[] {
  const rows = (schema: string, name: string) =>
    manifest.tables.find((table) => table.name === tableEntry({ schema, name }))?.lines ?? 0;
  const stored = manifest.files.filter(
    ({ name }) => name.startsWith("files/storage/") && !name.endsWith(".json"),
  ).length;
  const parts = [
    counted(rows("public", "workspaces"), "workspace", "workspaces"),
    counted(rows("public", "documents"), "document", "documents"),
    counted(log.events, "event", "events"),
    counted(stored, "stored file", "stored files"),
  ];
  return [
    `${sizeWords(size)}: ${parts.join(", ")}.`,
    `State of ${about.takenAt}, release ${about.release}, schema ${about.migrations.at(-1)}.`,
    `Verified: every part against its digest, and the hash chains of ` +
      `${counted(log.streams, "stream", "streams")}, ${log.redacted} redacted.`,
  ];
}
