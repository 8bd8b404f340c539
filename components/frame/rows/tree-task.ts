/** The pending action on a document of the tree. */
export type TreeTask = { kind: "rename" | "move"; id: string };
