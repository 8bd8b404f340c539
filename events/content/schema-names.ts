import { documentSchema } from "./schema";

/** Every name in this schema: of the root, nodes, marks and their attributes. */
export const schemaNames: ReadonlySet<string> = new Set([
  "default",
  ...[...Object.values(documentSchema.nodes), ...Object.values(documentSchema.marks)].flatMap(
    ({ name, spec }) => [name, ...Object.keys(spec.attrs ?? {})],
  ),
]);
