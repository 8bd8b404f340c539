import { timingSafeEqual } from "node:crypto";
import { environment } from "@/supabase/environment";
import { removeDeletedUsers } from "@/app/_server/account/user-removal";
import { disposeFiles } from "@/app/_server/maintenance/disposal-runs";
import { indexChanged } from "@/app/_server/maintenance/index-runs";
import { deriveMarkedLines } from "@/app/_server/maintenance/line-runs";
import { keepLinksUp } from "@/app/_server/maintenance/link-runs";
import { maintainMarked } from "@/app/_server/maintenance/maintenance-runs";
import { disposePictures } from "@/app/_server/maintenance/picture-runs";
import { throwAll, withEach } from "@/app/_server/maintenance/repeat";

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
 * One run of maintenance, for where no process stays: a scheduled call with the service key
 * brings it about. 404 for everybody else.
 */
export async function POST(request: Request): Promise<Response> {
  if (!isService(request)) return new Response(null, { status: 404 });
  const counts = { documents: 0, indexed: 0 };
  const jobs: (() => Promise<unknown>)[] = [
    async () => (counts.documents = await maintainMarked()),
    deriveMarkedLines,
    async () => (counts.indexed = await indexChanged()),
    keepLinksUp,
    disposeFiles,
    disposePictures,
    removeDeletedUsers,
  ];
  // A fault of one keeps no other back.
  throwAll(await withEach(jobs, async (job) => void (await job())));
  return Response.json(counts);
}
