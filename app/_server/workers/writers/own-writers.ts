import { isCopyIn } from "@/events/crdt/validation/validation";
import type { Rows } from "@/events/read-models/rows";

/** So many people are asked about; the others count as writers. */
const mostAsked = 32;

/**
 * Documents with people who are known to have written there, which stays true. Only those who read
 * the document ask, so a page reads the log for people who are new to it.
 */
const known = new Set<string>();
const mostKnown = 10_000;

/**
 * Who wrote in a document, of those that its Yjs client ids belong to. A restore has a client id of its own: somebody
 * who only restored, or took changes back, wrote nothing.
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
