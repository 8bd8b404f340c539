import type { Metadata } from "next";
import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { isUuid } from "@/events/core/ids/is-uuid";
import { PaletteLayer } from "@/components/palette/palette-on-demand";
import { parseZone, zoneCookie } from "@/components/ui/time/clock-cookie";
import type { Clock } from "@/components/ui/time/use-clock";
import { readWorkspace } from "@/components/workspace-state/workspace-snapshot";
import { WorkspaceFrame } from "@/components/workspace/workspace-frame";
import { WorkspaceShell } from "@/components/workspace-state/workspace-shell";
import { workspaceById } from "@/events/read-models/workspace-rows";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { workspace } = await params;
  const found = isUuid(workspace) ? await workspaceById(await pageClient(), workspace) : null;
  return {
    title: { default: found?.name ?? "Not found", template: `%s — ${found?.name ?? "Palimpsest"}` },
  };
}

/** Returns the time of this request in the reader's time zone. */
async function requestClock(): Promise<Clock> {
  return { now: Date.now(), zone: parseZone((await cookies()).get(zoneCookie)?.value) };
}

export default async function WorkspaceLayout({ params, children }: Props) {
  const { workspace } = await params;
  const client = await pageClient();
  const person = await identity(client);
  if (!person) redirect(`/sign-in?next=${encodeURIComponent(`/w/${workspace}`)}`);
  if (!isUuid(workspace)) notFound();
  const clock = await requestClock();
  const initial = await readWorkspace(client, workspace, person.userId, clock);
  if (!initial) notFound();
  return (
    <WorkspaceShell key={workspace} initial={initial}>
      <WorkspaceFrame>{children}</WorkspaceFrame>
      <PaletteLayer />
    </WorkspaceShell>
  );
}
