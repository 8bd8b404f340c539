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
 * One run of maintenance, for where no process stays: a scheduled call with the service key
 * brings it about. Work that another process is doing is left to it. 404 for everybody else.
 */
export async function POST(request: Request): Promise<Response> {
  if (!isService(request)) return new Response(null, { status: 404 });
  const counts = { documents: 0, indexed: 0 };
  const own = await takeWork(
    works.flatMap(({ kinds }) => kinds),
    { always: true },
  );
  const mine = works.filter(({ kinds }) => kinds.some((kind) => own.includes(kind)));
  // A fault of one keeps no other back.
  const faults = await withEach(mine, async ({ kinds: [kind], run }) => {
    const done = await run();
    if (kind === "upkeep") counts.documents = done;
    if (kind === "index") counts.indexed = done;
  });
  throwAll(faults);
  return Response.json(counts);
}
