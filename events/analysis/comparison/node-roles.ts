import { type NodeRole } from "./revision-tokens";
import { documentSchema } from "@/events/content/schema";

/** What a node of a document is to a comparison; what this version does not know is taken for a block of words. */
export function roleOf(name: string): NodeRole {
  const type = documentSchema.nodes[name];
  if (!type) return "words";
  if (type.isInline) return "inline";
  if (type.isTextblock) return "words";
  return type.isLeaf ? "leaf" : "holder";
}
