import { myWorkspaces } from "@/events/read-models/workspace-rows";
import { StoreFault } from "@/events/log/store";
import type { Tab } from "./tab";

/**
 * Returns the destination after a sign-in, which is the requested path. A request for the home page
 * leads to the person's only workspace. If they have none or several, or if workspaces cannot be
 * read now, it leads to the list of workspaces.
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
