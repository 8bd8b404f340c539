import type { Audience } from "../support/expectation";

/** Who listens on the channel of each kind of stream, and who broadcasts on it. */
export const topics: Readonly<Record<string, { listens: Audience; broadcasts: Audience }>> = {
  account: { listens: "owner", broadcasts: "nobody" },
  document: { listens: "open", broadcasts: "writers" },
  workspace: { listens: "members", broadcasts: "nobody" },
};
