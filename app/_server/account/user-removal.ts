import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { throwAll, withEach } from "@/app/_server/maintenance/with-each";
import { faultOf, StoreFault } from "@/events/log/store";
import { removeObjects } from "@/app/_server/files/stored-files";
import { serviceClient } from "@/supabase/server";

/** The most users removed per run. */
export const usersPerRun = 20;

async function dropObjects(
  service: SupabaseClient,
  bucket: "uploads" | "avatars",
  userId: string,
): Promise<void> {
  const { data, error } = await service.storage.from(bucket).list(userId, { limit: 1_000 });
  if (error) throw new StoreFault(error.message, 503);
  const names = data.map(({ name }) => `${userId}/${name}`);
  if (names.length > 0) await removeObjects(service, bucket, names);
}

/** Removes the remains of a deleted account: pending uploads, the picture, and the auth user. */
export async function removeUser(service: SupabaseClient, userId: string): Promise<void> {
  await dropObjects(service, "uploads", userId);
  await dropObjects(service, "avatars", userId);
  const { error } = await service.auth.admin.deleteUser(userId);
  // An earlier run removed the user without recording the removal.
  if (error && error.status !== 404) throw new StoreFault(error.message, error.status ?? 503);
  const noted = await service.rpc("forget_account", { person: userId });
  if (noted.error) throw faultOf(noted.error, noted.status);
}

/**
 * Removes the users of deleted accounts whose removal was not completed, and returns their number.
 * Errors are collected and thrown after every user has been tried.
 */
export async function removeDeletedUsers(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_deleted_accounts", {
    max_count: usersPerRun,
  });
  if (error) throw faultOf(error, status);
  const users = z.array(z.string()).parse(data);
  throwAll(await withEach(users, (user) => removeUser(service, user)));
  return users.length;
}
