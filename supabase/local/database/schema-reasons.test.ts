import { expect, it } from "vitest";
import { withReasons } from "./schema-reasons";

const schema = `create table public.notes (
  id uuid
);

CREATE OR REPLACE FUNCTION private.folded(content text)
 RETURNS text
AS $function$
create table private.inner ();
$function$;
`;

it("[LOG-61] puts the newest comment of a migration above its function or table", () => {
  const migrations = [
    "-- Apart from it.\n\n-- Notes.\ncreate table public.notes (id uuid);\n-- Old.\ncreate function private.folded(content text)",
    "-- Folds a text.\n-- Twice.\ncreate or replace function private.folded(content text)",
    "create or replace function private.folded(content text)",
  ];
  const text = withReasons(schema, migrations);
  expect(text.startsWith("-- Notes.\ncreate table public.notes")).toBe(true);
  expect(text).toContain(
    "\n\n-- Folds a text.\n-- Twice.\nCREATE OR REPLACE FUNCTION private.folded",
  );
  expect(text).not.toContain("Old.");
  expect(text).not.toContain("Apart");
});
