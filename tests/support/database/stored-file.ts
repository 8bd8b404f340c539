import type { TestDatabase } from "./database";

/** Records in the database that an object is stored, as Storage does after an upload. */
export async function storeFile(
  db: TestDatabase,
  workspace: string,
  { sha256, bytes, type }: { sha256: string; bytes: number; type: string },
  stored = new Date(),
): Promise<void> {
  const name = `${workspace}/${sha256}`;
  const metadata = JSON.stringify({ size: bytes, mimetype: type });
  await db.sql`insert into storage.objects (bucket_id, name, metadata, created_at, updated_at)
    values ('files', ${name}, ${metadata}::text::jsonb, ${stored}, ${stored})`;
}
