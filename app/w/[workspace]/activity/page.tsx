import type { Metadata } from "next";
import { ActivityPage } from "@/components/workspace/activity/activity-page";
import { readActivity } from "@/events/read-models/activity";
import { pageClient } from "@/supabase/server";

export const metadata: Metadata = { title: "Activity" };

export default async function Page({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace } = await params;
  return <ActivityPage initial={await readActivity(await pageClient(), workspace, null)} />;
}
