import type { SupabaseClient } from '@supabase/supabase-js'
import { schemaNames } from '@/components/editor/schema-names'
import { redact } from '@/events/redaction'
import { anchor, graded, keepGraded } from './graded-task'
import { present, stateApart } from './present-task'
import { keepUp } from './upkeep-task'

/** Computes the tombstone of an update. */
async function tombstone(_: SupabaseClient, { update, start }: { update: Uint8Array | null; start: number }): Promise<Uint8Array> {
  return redact(update, start, schemaNames)
}

/** Everything that takes the content of a document apart on the server; done beside the thread that answers requests. */
export const tasks = { present, stateApart, graded, keepGraded, anchor, keepUp, tombstone }

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type Input<Name extends TaskName> = Parameters<Tasks[Name]>[1]
export type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>
