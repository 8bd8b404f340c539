/** What is being done with a document of the tree. */
export type TreeTask = { kind: "rename" | "move"; id: string };
