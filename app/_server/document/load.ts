import { cookies } from "next/headers";
import { after } from "next/server";
import { cache } from "react";
import { isUuid } from "@/events/core/ids/is-uuid";
import { documentById } from "@/events/read-models/document-rows";
import { isSnapshotDue } from "@/events/crdt/validation/snapshot";
import { seesEverything } from "@/machines/history-visibility";
import { parseZone, zoneCookie } from "@/components/ui/time/clock-cookie";
import type { DocumentSnapshot } from "@/components/document/document-snapshot";
import type { RestrictedSnapshot } from "@/components/document/restricted/restricted-page";
import { readWorkspace } from "@/components/workspace-state/workspace-snapshot";
import type { WorkspaceSnapshot } from "@/components/workspace-state/workspace-snapshot";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";
import { isWarmingUp } from "@/supabase/warm-up";
import { foldUpToStop, runTask } from "@/app/_server/workers/workers";
import { withLinks } from "./linked-documents";
import { loadRestricted } from "./load-restricted";
import { packState } from "./packed-state";
import { sampleDocument } from "./sample-document";
import { maintain } from "@/app/_server/maintenance/maintenance";

type Loaded = { workspace: WorkspaceSnapshot; document: DocumentSnapshot | RestrictedSnapshot };

/**
 * Loads a document, its text and its workspace under the caller's rights. Returns 'signed-out', or
 * null if the caller may not see the document. `named` is the version requested by a reader who may
 * only see named versions.
 */
export const loadDocument = cache(
  async (id: string, named: number | null): Promise<Loaded | "signed-out" | null> => {
    if (isWarmingUp()) return sampleDocument();
    const client = await pageClient();
    const who = await identity(client);
    if (!who) return "signed-out";
    if (!isUuid(id)) return null;
    const request = { document: id, at: null, light: true };
    const asker = { client, service: false, owner: who.userId };
    // The fold starts before the caller's role is known. If the caller may not read the log, the
    // database refuses the fold and its result is ignored.
    const folding = runTask("present", request, asker);
    folding.catch(() => undefined);
    const row = await documentById(client, id);
    if (!row || row.phase === "purged") return null;
    const clock = { now: Date.now(), zone: parseZone((await cookies()).get(zoneCookie)?.value) };
    const workspace = await readWorkspace(client, row.workspaceId, who.userId, clock, id);
    if (!workspace) return null;
    const role = workspace.members.find(
      ({ userId, phase }) => userId === who.userId && phase === "active",
    )?.role;
    if (role && !seesEverything(role, workspace.workspace.history))
      return {
        workspace,
        document: await loadRestricted(client, row, named, who.userId, workspace.documents),
      };
    const { parts, tail, ...folded } = await foldUpToStop(folding, "present", request, asker);
    // Packing runs on a libuv thread while the page is rendered.
    const state = parts ? packState(parts) : Promise.resolve(null);
    if (isSnapshotDue(tail)) after(() => maintain(id, "reader", who.userId));
    const { html, linked } = await withLinks(client, workspace.documents, folded.html);
    return { workspace, document: { row, state, ...folded, html, linked } };
  },
);
