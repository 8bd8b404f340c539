import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const effect = z.object({
  id: z.string(),
  name: z.string(),
  effect: z.enum(["kept", "left", "alone"]),
  documents: z.int(),
});
/**
 * What becomes of a workspace when somebody deletes their account: it waits for another owner
 * (`kept`), goes on without them (`left`), or is deleted, for nobody else is in it (`alone`).
 */
export type DeletionEffect = z.infer<typeof effect>;

/** What deleting the reader's account would do to each of their workspaces, by name. */
export async function readAccountEnd(rows: Pick<Rows, "rpc">): Promise<DeletionEffect[]> {
  const { data, error, status } = await rows.rpc("read_account_end");
  if (error) throw faultOf(error, status);
  return z.array(effect).parse(data);
}

const ownDocument = z.object({
  id: z.string(),
  workspace: z.string(),
  title: z.string(),
  trashed: z.boolean(),
});
/** A document in which the reader wrote or commented. */
type OwnDocument = z.infer<typeof ownDocument>;

/** As many documents as one answer lists. */
const page = 500;

/** In which documents the reader wrote or commented, of those that they may read. */
export async function readOwnDocuments(rows: Pick<Rows, "rpc">): Promise<OwnDocument[]> {
  const all: OwnDocument[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? null;
    const { data, error, status } = await rows.rpc("read_own_documents", {
      after,
      max_count: page,
    });
    if (error) throw faultOf(error, status);
    const some = z.array(ownDocument).parse(data);
    all.push(...some);
    if (some.length < page) return all;
  }
}
