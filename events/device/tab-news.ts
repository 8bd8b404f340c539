/**
 * A message between a browser's tabs about an outbox or a waiting file: the scope's content has
 * changed, or a tab that shows the content requests it.
 */
export type TabNews = { scope: string; kind: "changed" | "wanted" };

export type TabNewsChannel = {
  /** Whether this browser has such a channel. If not, tabs have to poll. */
  works: boolean;
  post(news: TabNews): void;
  close(): void;
};

/** Joins the channel between this browser's tabs. */
export type JoinTabNews = (listener: (news: TabNews) => void) => TabNewsChannel;

const nobody: TabNewsChannel = { works: false, post: () => undefined, close: () => undefined };

function isNews(value: unknown): value is TabNews {
  if (typeof value !== "object" || value === null || !("scope" in value) || !("kind" in value))
    return false;
  return typeof value.scope === "string" && (value.kind === "changed" || value.kind === "wanted");
}

/** Sends news over a BroadcastChannel. In a browser that lacks or forbids it, tabs poll. */
export const broadcastNews: JoinTabNews = (listener) => {
  try {
    const channel = new BroadcastChannel("palimpsest-outbox");
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isNews(data)) listener(data);
    };
    return { works: true, post: (news) => channel.postMessage(news), close: () => channel.close() };
  } catch {
    return nobody;
  }
};

/** The channel of a page without other tabs. */
export const noNews: JoinTabNews = () => nobody;
