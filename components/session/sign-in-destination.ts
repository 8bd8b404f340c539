import { myWorkspaces } from "@/events/read-models/workspace-rows";
import { StoreFault } from "@/events/log/store";
import type { Tab } from "./tab";

/**
 * Says where to go after signing in: to the path that was asked for, or, where that is the home page alone, straight to
 * the only workspace of the person; to the choice of workspaces if there are none or several, or none can be read now.
 */
export async function goal(
  { backend, session }: Pick<Tab, "session"> & { backend: Pick<Tab["backend"], "rows"> },
  next: string,
): Promise<string> {
  const person = session.getSnapshot().context.session;
  if (next !== "/" || !person) return next;
  try {
    const [only, another] = await myWorkspaces(backend.rows, person.userId);
    return only && !another ? `/w/${only.id}` : next;
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return next;
  }
}
