import { isUuid } from "@/events/core/ids/is-uuid";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { pictureName, pictureOf } from "@/app/_server/account/picture";
import { objectStream } from "@/app/_server/files/stored-files";

export const dynamic = "force-dynamic";

const nothing = () =>
  new Response(null, { status: 404, headers: { "cache-control": "private, no-store" } });

/**
 * Returns a person's current picture, for themselves and for people in the same workspace. The
 * database checks access. Browsers revalidate after a minute.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ person: string; picture: string }> },
): Promise<Response> {
  const { person, picture } = await params;
  const client = await pageClient();
  const who = await identity(client);
  const service = serviceClient();
  if (!who || !service || !isUuid(person) || !isUuid(picture)) return nothing();
  if ((await pictureOf(client, person)) !== picture) return nothing();
  const headers = {
    etag: `"${picture}"`,
    // Varies by cookie: the next person to sign in on this browser must not see it (decision 0029).
    "cache-control": "private, max-age=60",
    vary: "cookie",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  if (request.headers.get("if-none-match") === headers.etag)
    return new Response(null, { status: 304, headers });
  const body = await objectStream(service, "avatars", pictureName(person, picture));
  if (!body) return nothing();
  return new Response(body, { headers: { ...headers, "content-type": "image/webp" } });
}
