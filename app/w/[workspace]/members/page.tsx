import type { Metadata } from "next";
import { isUuid } from "@/events/core/ids/is-uuid";
import { MembersPage } from "@/components/workspace/members/members-page";
import { readFileRoom } from "@/events/read-models/file-room";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";

type Props = { params: Promise<{ workspace: string }> };

export const metadata: Metadata = { title: "Members" };

export default async function Page({ params }: Props) {
  const { workspace } = await params;
  const client = await pageClient();
  // The layout handles people who may not see the workspace.
  const mayAsk = isUuid(workspace) && (await identity(client)) !== null;
  return <MembersPage room={mayAsk ? await readFileRoom(client, workspace) : null} />;
}
