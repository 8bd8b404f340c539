import type { NodeRole } from "./revision-tokens";
import { documentSchema } from "@/events/content/schema";

/** Returns a document node's role in a comparison. Unknown nodes count as blocks of words. */
export function roleOf(name: string): NodeRole {
  const type = documentSchema.nodes[name];
  if (!type) return "words";
  if (type.isInline) return "inline";
  if (type.isTextblock) return "words";
  return type.isLeaf ? "leaf" : "holder";
}
