import { phasesOf } from "./aggregate";
import type { Aggregate } from "./aggregate";
import { transitionRows } from "./law";
import type { TransitionRow } from "./law";
import { schemaRows } from "./schema-rows";
import type { SchemaRow } from "./schema-rows";

export type VersionedSchema = SchemaRow & { version: number };
export type HostingRow = { subjectKind: string; phase: string };

/**
 * The whole law (the transition table, hosting and body schemas) as data. The last law migration
 * left the database in this state (supabase/law.json).
 */
export type Catalogue = {
  transitions: TransitionRow[];
  hosting: HostingRow[];
  schemas: VersionedSchema[];
};

export const emptyCatalogue: Catalogue = { transitions: [], hosting: [], schemas: [] };

// Compares rows as JSON text, since their keys, shapes included, are always built in the same
// order.
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const withoutVersion = ({ version: _version, ...row }: VersionedSchema): SchemaRow => row;
const difference = <Row>(rows: Row[], others: Row[], same: (a: Row, b: Row) => boolean) =>
  rows.filter((row) => !others.some((other) => same(row, other)));

/**
 * Compiles the aggregates. A changed schema gets the next version, because recorded bodies keep the
 * old one.
 */
export function catalogueOf(aggregates: readonly Aggregate[], before: Catalogue): Catalogue {
  return {
    transitions: aggregates.flatMap(transitionRows),
    hosting: aggregates.flatMap((aggregate) =>
      phasesOf(aggregate.machine)
        .all.filter((phase) => aggregate.hosts.includes(phase))
        .map((phase) => ({ subjectKind: aggregate.kind, phase })),
    ),
    schemas: aggregates.flatMap(schemaRows).map((row) => {
      const last = before.schemas.find(({ eventType }) => eventType === row.eventType);
      if (!last) return { ...row, version: 1 };
      return { ...row, version: same(withoutVersion(last), row) ? last.version : last.version + 1 };
    }),
  };
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
const tuple = (...values: string[]) => `(${values.join(", ")})`;
const lines = (rows: string[]) => rows.map((row) => `  ${row}`).join(",\n");

const transitionKey = (row: TransitionRow) =>
  tuple(quoted(row.subjectKind), quoted(row.fromPhase), quoted(row.eventType), quoted(row.toPhase));
const hostingKey = (row: HostingRow) => tuple(quoted(row.subjectKind), quoted(row.phase));

function retire(table: string, columns: string, keys: string[]): string[] {
  if (keys.length === 0) return [];
  return [
    `update private.${table} set retired_at = now() where ${columns} in (\n${lines(keys)}\n);`,
  ];
}

/**
 * Returns the SQL statements that take the database from one catalogue to the next. Equal
 * catalogues need none, and no statement deletes a row.
 */
export function lawStatements(before: Catalogue, after: Catalogue): string[] {
  const bySchema = (a: VersionedSchema, b: VersionedSchema) => a.eventType === b.eventType;
  const newTransitions = difference(after.transitions, before.transitions, same);
  const newHosting = difference(after.hosting, before.hosting, same);
  const newSchemas = difference(after.schemas, before.schemas, same);
  const transitionColumns = "(subject_kind, from_phase, event_type, to_phase)";
  const sameRule = (a: TransitionRow, b: TransitionRow) => transitionKey(a) === transitionKey(b);
  const statements = [
    ...retire(
      "transitions",
      transitionColumns,
      difference(before.transitions, after.transitions, sameRule).map(transitionKey),
    ),
    ...retire(
      "hosting",
      "(subject_kind, phase)",
      difference(before.hosting, after.hosting, same).map(hostingKey),
    ),
    ...retire(
      "schemas",
      "(event_type)",
      difference(before.schemas, after.schemas, bySchema).map((row) =>
        tuple(quoted(row.eventType)),
      ),
    ),
  ];
  if (newTransitions.length > 0)
    statements.push(
      `insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase,
        needs) values\n${lines(
          newTransitions.map((row) =>
            tuple(
              ...[
                row.streamKind,
                row.subjectKind,
                row.fromPhase,
                row.eventType,
                row.toPhase,
                row.right,
              ].map(quoted),
            ),
          ),
        )}\non conflict ${transitionColumns} do update set needs = excluded.needs, retired_at = null;`,
    );
  if (newHosting.length > 0)
    statements.push(
      `insert into private.hosting (subject_kind, phase)
        values\n${lines(newHosting.map(hostingKey))}\non conflict (subject_kind, phase) do update
          set retired_at = null;`,
    );
  if (newSchemas.length > 0)
    statements.push(
      `insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update,
        shape) values\n${lines(
          newSchemas.map((row) =>
            tuple(
              quoted(row.eventType),
              String(row.version),
              quoted(row.streamKind),
              quoted(row.subjectKind),
              String(row.carriesUpdate),
              quoted(JSON.stringify(row.shape)),
            ),
          ),
        )}\non conflict (event_type, version) do update set retired_at = null;`,
    );
  return statements;
}
