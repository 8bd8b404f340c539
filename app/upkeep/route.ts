import { timingSafeEqual } from "node:crypto";
import { environment } from "@/supabase/environment";
import { disposeFiles } from "@/app/_server/maintenance/disposal-runs";
import { indexChanged } from "@/app/_server/maintenance/index-runs";
import { deriveMarkedLines } from "@/app/_server/maintenance/line-runs";
import { keepLinksUp } from "@/app/_server/maintenance/link-runs";
import { maintainMarked } from "@/app/_server/maintenance/maintenance-runs";
import { disposePictures } from "@/app/_server/maintenance/picture-runs";
import { throwAll, withEach } from "@/app/_server/maintenance/repeat";

const jobs = [
  maintainMarked,
  deriveMarkedLines,
  indexChanged,
  keepLinksUp,
  disposeFiles,
  disposePictures,
];

const bytes = new TextEncoder();

function isService(request: Request): boolean {
  const { secretKey } = environment();
  const [given, expected] = [request.headers.get("authorization") ?? "", `Bearer ${secretKey}`].map(
    (text) => bytes.encode(text),
  );
  return (
    secretKey !== null &&
    given !== undefined &&
    expected !== undefined &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}

/**
 * One round of maintenance, for where no process stays: a scheduled call with the service key
 * brings it about. 404 for everybody else.
 */
export async function POST(request: Request): Promise<Response> {
  if (!isService(request)) return new Response(null, { status: 404 });
  const done = new Map<() => Promise<number>, number>();
  // A fault of one keeps no other back.
  const faults = await withEach(jobs, async (job) => void done.set(job, await job()));
  throwAll(faults);
  return Response.json({ documents: done.get(maintainMarked), indexed: done.get(indexChanged) });
}
