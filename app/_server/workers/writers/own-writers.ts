import { isCopyIn } from "@/events/crdt/validation/validation";
import type { Rows } from "@/events/read-models/rows";

/** People looked up per call; any others count as writers. */
const mostAsked = 32;

/**
 * Pairs of a document and a person known to have written in it, which stays true. Only the
 * document's readers ask, so a page queries the log only for people who are new to it.
 */
const known = new Set<string>();
const mostKnown = 10_000;

/**
 * Of the people who own a document's Yjs client ids, those who wrote in it. A restore has its own
 * client id: a person who only restored or reverted wrote nothing.
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
