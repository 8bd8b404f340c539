import { equalBytes } from "@/events/core/bytes";
import { type Ruled } from "@/events/core/envelope";
import { type Refusal } from "@/events/log/refusal";
import { type Appended } from "@/events/log/store";
import { type Draft } from "./restore";

/**
 * What came of recording a draft: `differs` and `busy` bring the draft as it is on the newest log,
 * of which nothing is recorded.
 */
export type Recorded =
  | { state: "recorded"; version: number }
  /** What others recorded meanwhile leaves nothing to be done. */
  | { state: "nothing" }
  /** What others recorded meanwhile changes what it would do. */
  | { state: "differs"; draft: Draft }
  /** It would do the same still, and others were quicker every time. */
  | { state: "busy"; draft: Draft }
  | { state: "refused"; refusal: Refusal };

type Ways = {
  /** Appends a draft where the log is still as the draft found it. */
  append: (draft: Draft) => Promise<Appended>;
  /**
   * The draft as it is, behind what others have recorded since; null where it has to be drafted
   * anew. Without it, it always is.
   */
  rebase?: (draft: Draft) => Promise<Draft | null>;
  /** Drafts the same wish on the newest log, under the same client id; null where nothing would change. */
  redraft: () => Promise<Draft | null>;
  /** Whether a new draft may be recorded in place of the one that was shown. */
  agrees: (shown: Draft, fresh: Draft) => boolean;
};

const mostAttempts = 8;

/**
 * Whether two drafts of a wish, under one client id, do the same to the text: they take out the
 * same letters and put the same between the same, whatever others have written elsewhere.
 */
export function sameInEffect(one: Draft, other: Draft): boolean {
  return equalBytes(one.update, other.update);
}

/**
 * A draft as it is, behind what was recorded since, where that is nothing but writing; null where
 * it has to be drafted anew.
 */
export async function rebasedDraft(
  store: {
    read(stream: string, after: number): Promise<Pick<Ruled, "version" | "type" | "update">[]>;
  },
  documentId: string,
  draft: Draft,
): Promise<Draft | null> {
  const rows = await store.read(documentId, draft.base);
  const isWriting = rows.every(({ type, update }) => update === null || type === "document.edited");
  return isWriting ? { ...draft, base: rows.at(-1)?.version ?? draft.base } : null;
}

/**
 * Records a draft on the log that it was made for or, where others were quicker, as a new one on
 * theirs, as long as that agrees with the first.
 */
export async function recordDraft(
  shown: Draft,
  { append, rebase, redraft, agrees }: Ways,
): Promise<Recorded> {
  let draft = shown;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const answer = await append(draft);
    if (answer.ok)
      return { state: "recorded", version: answer.rulings[0]?.version ?? draft.base + 1 };
    if (answer.refusal.name !== "version-conflict")
      return { state: "refused", refusal: answer.refusal };
    const rebased = (await rebase?.(draft)) ?? null;
    if (rebased !== null) {
      draft = rebased;
      continue;
    }
    const fresh = await redraft();
    if (fresh === null) return { state: "nothing" };
    if (!agrees(shown, fresh)) return { state: "differs", draft: fresh };
    draft = fresh;
  }
  return { state: "busy", draft };
}
