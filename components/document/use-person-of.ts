import { useCallback } from "react";
import type { RemoteCaretsOptions } from "@/components/editor/carets/remote-carets";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import type { LiveDocument } from "@/machines/sync/live-document";

/**
 * Returns a function that resolves a peer's client id to a person. The function changes with the
 * members and the document.
 */
export function usePersonOf(
  live: Pick<LiveDocument, "userOf"> | null,
  people: ReadonlyMap<string, Person>,
): RemoteCaretsOptions["personOf"] {
  return useCallback(
    (clientId, state) => {
      // Until the log binds a client id, its user id is only a claim. Name and colour come from the
      // members list.
      const userId =
        live?.userOf(clientId) ?? (typeof state.userId === "string" ? state.userId : null);
      const person = userId === null ? undefined : people.get(userId);
      return person === undefined
        ? null
        : { userId: person.userId, name: firstName(person), color: person.color };
    },
    [live, people],
  );
}
