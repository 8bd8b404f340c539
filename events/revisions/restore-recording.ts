import { equalBytes } from "@/events/core/bytes/bytes";
import { type Ruled } from "@/events/core/envelope";
import { type Refusal } from "@/events/log/refusal";
import { type Appended } from "@/events/log/store";
import { type RestorePreview } from "./restore";

/**
 * What came of recording a preview: `differs` and `busy` bring the preview as it is on the newest
 * log, of which nothing is recorded.
 */
export type Recorded =
  | { state: "recorded"; version: number }
  /** What others recorded meanwhile leaves nothing to be done. */
  | { state: "nothing" }
  /** What others recorded meanwhile changes what it would do. */
  | { state: "differs"; preview: RestorePreview }
  /** It would do the same still, and others were quicker every time. */
  | { state: "busy"; preview: RestorePreview }
  | { state: "refused"; refusal: Refusal };

type Ways = {
  /** Appends a preview where the log is still as the preview found it. */
  append: (preview: RestorePreview) => Promise<Appended>;
  /**
   * The preview as it is, behind what others have recorded since; null where it has to be made
   * anew. Without it, it always is.
   */
  rebase?: (preview: RestorePreview) => Promise<RestorePreview | null>;
  /**
   * Previews the same restore request on the newest log, under the same client id; null where
   * nothing would change.
   */
  previewAgain: () => Promise<RestorePreview | null>;
  /** Whether a new preview may be recorded in place of the one that was shown. */
  agrees: (shown: RestorePreview, fresh: RestorePreview) => boolean;
};

const mostAttempts = 8;

/**
 * Whether two previews of a restore request, under one client id, do the same to the text: they
 * take out the same letters and put the same between the same, whatever others have written
 * elsewhere.
 */
export function sameInEffect(one: RestorePreview, other: RestorePreview): boolean {
  return equalBytes(one.update, other.update);
}

/**
 * A preview as it is, behind what was recorded since, where that is nothing but writing; null where
 * it has to be made anew.
 */
export async function rebasedPreview(
  store: {
    read(stream: string, after: number): Promise<Pick<Ruled, "version" | "type" | "update">[]>;
  },
  documentId: string,
  preview: RestorePreview,
): Promise<RestorePreview | null> {
  const rows = await store.read(documentId, preview.base);
  const isWriting = rows.every(({ type, update }) => update === null || type === "document.edited");
  return isWriting ? { ...preview, base: rows.at(-1)?.version ?? preview.base } : null;
}

/**
 * Records a preview on the log that it was made for or, where others were quicker, as a new one on
 * theirs, as long as that agrees with the first.
 */
export async function recordPreview(
  shown: RestorePreview,
  { append, rebase, previewAgain, agrees }: Ways,
): Promise<Recorded> {
  let preview = shown;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const answer = await append(preview);
    if (answer.ok)
      return { state: "recorded", version: answer.rulings[0]?.version ?? preview.base + 1 };
    if (answer.refusal.name !== "version-conflict")
      return { state: "refused", refusal: answer.refusal };
    const rebased = (await rebase?.(preview)) ?? null;
    if (rebased !== null) {
      preview = rebased;
      continue;
    }
    const fresh = await previewAgain();
    if (fresh === null) return { state: "nothing" };
    if (!agrees(shown, fresh)) return { state: "differs", preview: fresh };
    preview = fresh;
  }
  return { state: "busy", preview };
}
