import { timingSafeEqual } from "node:crypto";
import { environment } from "@/supabase/environment";
import { makeDemoWorkspace } from "@/app/_server/demo/demo-workspace";

export const dynamic = "force-dynamic";

/**
 * Creates the demo workspace. Available only to the launcher, which knows the secret key, and only
 * with the embedded backend.
 */
export async function POST(request: Request): Promise<Response> {
  const { embedded, secretKey } = environment();
  if (
    !embedded ||
    !secretKey ||
    !isSame(request.headers.get("authorization") ?? "", `Bearer ${secretKey}`)
  ) {
    return new Response(null, { status: 404 });
  }
  return Response.json(await makeDemoWorkspace());
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
