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
 * The effect of deleting an account on a workspace: it waits for another owner (`kept`), continues
 * without the person (`left`), or is deleted because it has no other member (`alone`).
 */
export type DeletionEffect = z.infer<typeof effect>;

/** Reads how deleting the reader's account affects each of their workspaces, sorted by name. */
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

/** The most documents in one answer. */
const page = 500;

/** Reads the documents in which the reader wrote or commented, among those they may read. */
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
