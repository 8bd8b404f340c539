import { documentSchema } from "./schema";

/** Every name that a text of this schema may bring: of its root, nodes, marks and their attributes. */
export const schemaNames: ReadonlySet<string> = new Set([
  "default",
  ...[...Object.values(documentSchema.nodes), ...Object.values(documentSchema.marks)].flatMap(
    ({ name, spec }) => [name, ...Object.keys(spec.attrs ?? {})],
  ),
]);
