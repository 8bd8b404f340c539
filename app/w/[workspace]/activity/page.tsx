import type { Metadata } from "next";
import { ActivityPage } from "@/components/workspace/activity/activity-page";
import { readActivity } from "@/events/read-models/activity";
import { linesBetween } from "@/events/read-models/change-lines";
import { pageClient } from "@/supabase/server";

export const metadata: Metadata = { title: "Activity" };

const day = 86_400_000;
const week = 7 * day;

/** Reads the newest events, and the lines of the same period or of at least a week. */
async function readInitial(workspace: string) {
  const client = await pageClient();
  const page = await readActivity(client, workspace, null);
  // The period begins at a full day, so that repeated requests get the same period.
  const aWeekAgo = Math.floor((Date.now() - week) / day) * day;
  const begins = Math.min(aWeekAgo, page.since ? Date.parse(page.since) : Infinity);
  const since = new Date(begins).toISOString();
  return { page, lines: await linesBetween(client, workspace, since, null), since };
}

export default async function Page({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace } = await params;
  return <ActivityPage initial={await readInitial(workspace)} />;
}
