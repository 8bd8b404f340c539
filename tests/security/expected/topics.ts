import type { Audience } from "../support/expectation";

/** The audiences that may listen and broadcast on the channel of each kind of stream. */
export const topics: Readonly<Record<string, { listens: Audience; broadcasts: Audience }>> = {
  account: { listens: "owner", broadcasts: "nobody" },
  document: { listens: "open", broadcasts: "writers" },
  workspace: { listens: "members", broadcasts: "nobody" },
};
