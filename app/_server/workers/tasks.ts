import type { SupabaseClient } from "@supabase/supabase-js";
import { schemaNames } from "@/events/content/schema-names";
import type { Ruled } from "@/events/core/envelope";
import { redactableWords } from "@/events/crdt/payload/redactable-words";
import { repeats } from "@/events/crdt/payload/repeated-words";
import { redact } from "@/events/crdt/payload/redaction";
import { file, fileText } from "./download-task";
import { lines } from "./lines-task";
import { anchor, restricted, storeRestricted, wholeComments } from "./restricted-task";
import { present, stateApart } from "./present-task";
import { index } from "./index-task";
import { keepLinks } from "./links-task";
import { maintain } from "./maintenance-task";
import { ownWords } from "./own-writing-task";

type TombstoneInput = { event: Pick<Ruled, "body" | "update" | "clientTime">; reason?: string };

/**
 * Computes the tombstone of an event's update, and whether the reason for the redaction repeats the
 * redacted words.
 */
async function tombstone(
  _: SupabaseClient,
  { event, reason = "" }: TombstoneInput,
): Promise<{ tombstone: Uint8Array; repeats: boolean }> {
  return {
    tombstone: redact(event.update, Date.parse(event.clientTime), schemaNames),
    repeats: reason !== "" && repeats(reason, redactableWords(event)),
  };
}

/** All tasks that process document content on the server, off the main thread. */
export const tasks = {
  present,
  stateApart,
  restricted,
  storeRestricted,
  wholeComments,
  anchor,
  maintain,
  index,
  lines,
  keepLinks,
  tombstone,
  fileText,
  file,
  ownWords,
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type Input<Name extends TaskName> = Parameters<Tasks[Name]>[1];
export type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;
