import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { rowsAtATime } from "@/events/core/pages";
import { WorkspaceChooser } from "@/components/workspace/workspace-chooser";
import { workspacesBehind } from "@/events/read-models/workspace-rows";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";

export const metadata: Metadata = { title: "Your workspaces" };

export default async function Home() {
  const client = await pageClient();
  const person = await identity(client);
  if (!person) redirect("/sign-in");
  const workspaces = await workspacesBehind(client, null, rowsAtATime);
  const [only, another] = workspaces;
  if (only && !another) redirect(`/w/${only.id}`);
  return <WorkspaceChooser workspaces={workspaces} />;
}
