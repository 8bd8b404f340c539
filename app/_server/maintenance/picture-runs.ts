import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { removeObjects } from "@/app/_server/files/stored-files";
import { deletions } from "./disposal-runs";
import { throwAll, withEach } from "./with-each";

/** The most people's pictures deleted per run. */
export const picturesPerRun = 50;

/** Deletes stored pictures that no account uses any more, and returns their number. */
export async function disposePictures(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_unused_pictures", {
    max_count: picturesPerRun,
  });
  if (error) throw faultOf(error, status);
  const names = z.array(z.string()).parse(data);
  const faults = await withEach(names, (name) => removeObjects(service, "avatars", [name]));
  if (names.length > faults.length)
    deletions().inc({ why: "picture" }, names.length - faults.length);
  throwAll(faults);
  return names.length;
}
