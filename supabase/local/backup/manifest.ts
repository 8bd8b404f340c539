import { z } from "zod";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const migration = z.string().regex(/^\d{1,20}$/);
const identifier = z.string().min(1).max(63);

/** A part as stored in the file. */
const storedEntry = z.strictObject({ name: z.string(), bytes: count, sha256 });
export type StoredEntry = z.infer<typeof storedEntry>;

/** An entry stored in parts, with its total uncompressed size. Each line of a table is a row. */
const listed = z.strictObject({
  name: z.string(),
  parts: count,
  bytes: count,
  lines: count,
  sha256,
});
export type Listed = z.infer<typeof listed>;

export const manifestSchema = z.strictObject({
  tables: z.array(listed),
  files: z.array(listed),
  entries: z.array(storedEntry),
});
/** The end of a backup: all its content, with hashes. */
export type Manifest = z.infer<typeof manifestSchema>;

const table = z.strictObject({
  schema: identifier,
  name: identifier,
  columns: z.array(identifier).min(1),
});
/** A table of a backup, and its columns in the order of its rows. */
export type BackupTable = z.infer<typeof table>;

export const aboutSchema = z.strictObject({
  format: z.literal("palimpsest-backup"),
  version: z.literal(1),
  /** The version of the product that wrote the backup. */
  release: z.string().max(100),
  takenAt: z.iso.datetime(),
  /** The id of the data folder, or null if the folder has none yet. */
  folder: z.uuid().nullable(),
  /** The applied migrations: the version of the schema. */
  migrations: z.array(migration).min(1),
  tables: z.array(table),
  sequences: z.array(
    z.strictObject({ schema: identifier, name: identifier, value: z.string().regex(/^-?\d+$/) }),
  ),
});
/** The beginning of a backup: its release and schema. */
export type About = z.infer<typeof aboutSchema>;

export const tableEntry = ({ schema, name }: Pick<BackupTable, "schema" | "name">) =>
  `tables/${encodeURIComponent(schema)}.${encodeURIComponent(name)}`;

export const fileEntry = (path: string) => `files/${path}`;
