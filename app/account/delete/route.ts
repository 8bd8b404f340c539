import * as z from "zod/mini";
import { reportError } from "@/events/core/error-report";
import { sentence } from "@/events/log/refusal";
import { readAccountEnd } from "@/events/read-models/account-end";
import { deleteAccount } from "@/app/_server/account/account-deletion";
import { removeUser } from "@/app/_server/account/user-removal";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";

export const dynamic = "force-dynamic";

/** `alone` lists the workspaces whose complete deletion was announced to the person. */
const requestBody = z.strictObject({
  email: z.string(),
  alone: z.array(z.string()).check(z.maxLength(1_000)),
});

const refused = (status: number, message: string) => Response.json({ message }, { status });

/**
 * Deletes the caller's account, whose address they have typed, step by step. Returns how many
 * documents are left, and whether the deletion is done.
 */
export async function POST(request: Request): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  if (!who) return refused(401, "You are signed out. Nothing was deleted; sign in and try again.");
  const typed = requestBody.safeParse(await request.json().catch(() => null)).data;
  if (!typed) return refused(400, "This could not be read. Nothing was deleted.");
  const service = serviceClient();
  if (!service)
    return refused(503, "This installation has no service key, so accounts can’t be deleted here.");
  const agreed = new Set(typed.alone);
  const effects = await readAccountEnd(client);
  if (effects.some(({ id, effect }) => effect === "alone" && !agreed.has(id)))
    return refused(
      409,
      "Others have left a workspace of yours meanwhile, and it would be deleted, too. Nothing of it " +
        "was. Look at what would be deleted now, and try again.",
    );
  const answer = await deleteAccount(client, typed.email);
  if ("refusal" in answer) return refused(409, sentence(answer.refusal));
  const { deleted, left } = answer;
  // If the removal fails, a later run repeats it. The person is already signed out everywhere.
  if (deleted)
    await removeUser(service, who.userId).catch((fault: unknown) =>
      reportError(fault, { during: "removing a user", route: "/account/delete" }),
    );
  return Response.json({ deleted, left }, { headers: { "cache-control": "no-store" } });
}
