import { myWorkspaces } from "@/events/read-models/workspace-rows";
import { StoreFault } from "@/events/log/store";
import type { Tab } from "./tab";

/**
 * The destination after a sign-in: the requested path. For the home page it is the person's only
 * workspace, or the list of workspaces when there are none or several, or when they cannot be read
 * now.
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
