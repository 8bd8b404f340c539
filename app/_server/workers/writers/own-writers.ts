import { isCopyIn } from "@/events/crdt/validation/validation";
import type { Rows } from "@/events/read-models/rows";

/** The most people looked up per call. All others count as writers. */
const mostAsked = 32;

/**
 * Pairs of a document and a person who is known to have written in it, which stays true. Only the
 * document's readers ask, so a page queries the log only for people who are new to it.
 */
const known = new Set<string>();
const mostKnown = 10_000;

/**
 * Returns the owners of a document's Yjs client ids who wrote in the document. A restore has its
 * own client id, so a person who only restored or reverted wrote no text.
 */
export async function ownWriters(
  rows: Pick<Rows, "from">,
  document: string,
  owners: readonly (readonly [clientId: number, owner: string])[],
): Promise<string[]> {
  const people = [...new Set(owners.map(([, owner]) => owner).filter((owner) => !isCopyIn(owner)))];
  const wrote = await Promise.all(
    people.map(async (person, index) => {
      const key = `${document} ${person}`;
      if (index >= mostAsked || known.has(key)) return true;
      const { data, error } = await rows
        .from("events")
        .select("version")
        .eq("stream_id", document)
        .eq("stream_kind", "document")
        .eq("actor_id", person)
        .eq("type", "document.edited")
        .order("version")
        .limit(1);
      if (error !== null) return true;
      if (data.length === 0) return false;
      if (known.size >= mostKnown) known.clear();
      known.add(key);
      return true;
    }),
  );
  return people.filter((_, index) => wrote[index]);
}
