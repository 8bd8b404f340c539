import { useCallback } from "react";
import type { RemoteCaretsOptions } from "@/components/editor/carets/remote-carets";
import { firstName, type Person } from "@/events/read-models/person";
import type { LiveDocument } from "@/machines/sync/live-document";

/** The function that says whose caret a peer's is; a new one for new members or document. */
export function usePersonOf(
  live: Pick<LiveDocument, "userOf"> | null,
  people: ReadonlyMap<string, Person>,
): RemoteCaretsOptions["personOf"] {
  return useCallback(
    (clientId, state) => {
      // Until somebody's first words are in the log, only they themselves say who they are; name
      // and colour are the members' list's.
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
