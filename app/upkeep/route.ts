import { timingSafeEqual } from "node:crypto";
import { environment } from "@/supabase/environment";
import { takeWork } from "@/app/_server/maintenance/work-turns";
import { works } from "@/app/_server/maintenance/works";
import { throwAll, withEach } from "@/app/_server/maintenance/with-each";

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
 * Runs maintenance once, for deployments without a permanent process. A scheduled request with the
 * service key starts it. Work leased by another process is skipped. 404 without the key.
 */
export async function POST(request: Request): Promise<Response> {
  if (!isService(request)) return new Response(null, { status: 404 });
  const counts = { documents: 0, indexed: 0 };
  const own = await takeWork(
    works.flatMap(({ kinds }) => kinds),
    { always: true },
  );
  const mine = works.filter(({ kinds }) => kinds.some((kind) => own.includes(kind)));
  // A failure of one kind does not hold back the others.
  const faults = await withEach(mine, async ({ kinds: [kind], run }) => {
    const done = await run();
    if (kind === "upkeep") counts.documents = done;
    if (kind === "index") counts.indexed = done;
  });
  throwAll(faults);
  return Response.json(counts);
}
