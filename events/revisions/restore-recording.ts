import { equalBytes } from "@/events/core/bytes/bytes";
import type { Ruled } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { Appended } from "@/events/log/store";
import type { RestorePreview } from "./restore";

/**
 * The result of recording a preview. `differs` and `busy` return the preview on the newest log, and
 * nothing was recorded.
 */
export type Recorded =
  | { state: "recorded"; version: number }
  /** After others' events, the restore would change nothing. */
  | { state: "nothing" }
  /** Others' events changed the effect of the restore. */
  | { state: "differs"; preview: RestorePreview }
  /** The effect is the same, but others appended first at every attempt. */
  | { state: "busy"; preview: RestorePreview }
  | { state: "refused"; refusal: Refusal };

type Ways = {
  /** Appends a preview if the log is still at its base version. */
  append: (preview: RestorePreview) => Promise<Appended>;
  /**
   * Moves the preview onto the events that others have recorded since. Null, or no function, means
   * that the preview must be built again.
   */
  rebase?: (preview: RestorePreview) => Promise<RestorePreview | null>;
  /**
   * Previews the same restore request on the newest log, under the same client id. Null if nothing
   * would change.
   */
  previewAgain: () => Promise<RestorePreview | null>;
  /** Whether a new preview may be recorded in place of the one that was shown. */
  agrees: (shown: RestorePreview, fresh: RestorePreview) => boolean;
};

const mostAttempts = 8;

/**
 * Whether two previews of a restore request, under one client id, have the same effect on the text:
 * they delete the same letters and insert the same letters at the same places. Text that others
 * wrote elsewhere does not matter.
 */
export function sameInEffect(one: RestorePreview, other: RestorePreview): boolean {
  return equalBytes(one.update, other.update);
}

/**
 * Moves the preview onto the events that were recorded since, if these are only text edits. Returns
 * null if the preview must be built again.
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
 * Records a preview on the log for which it was made. If others appended first, records a new
 * preview on the newer log, provided that it agrees with the displayed one.
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
