import type { Metadata } from "next";
import { ActivityPage } from "@/components/workspace/activity/activity-page";
import { readActivity } from "@/events/read-models/activity";
import { linesBetween } from "@/events/read-models/change-lines";
import { pageClient } from "@/supabase/server";

export const metadata: Metadata = { title: "Activity" };

const day = 86_400_000;
const week = 7 * day;

/** The newest events, and the lines of as long a time, a week at least. */
async function readInitial(workspace: string) {
  const client = await pageClient();
  const page = await readActivity(client, workspace, null);
  // From the beginning of a day on, so that who asks twice is answered the same.
  const aWeekAgo = Math.floor((Date.now() - week) / day) * day;
  const begins = Math.min(aWeekAgo, page.since ? Date.parse(page.since) : Infinity);
  const since = new Date(begins).toISOString();
  return { page, lines: await linesBetween(client, workspace, since, null), since };
}

export default async function Page({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace } = await params;
  return <ActivityPage initial={await readInitial(workspace)} />;
}
