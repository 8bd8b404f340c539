/**
 * A message between the tabs of one browser about an outbox or a file that waits on the device:
 * the content of the scope has changed, or a tab that shows it wants it.
 */
export type TabNews = { scope: string; kind: "changed" | "wanted" };

export type TabNewsChannel = {
  /** False where this browser has no such line, so that one has to look oneself. */
  works: boolean;
  post(news: TabNews): void;
  close(): void;
};

/** Joins the line between the tabs of this browser. */
export type JoinTabNews = (listener: (news: TabNews) => void) => TabNewsChannel;

const nobody: TabNewsChannel = { works: false, post: () => undefined, close: () => undefined };

function isNews(value: unknown): value is TabNews {
  if (typeof value !== "object" || value === null || !("scope" in value) || !("kind" in value))
    return false;
  return typeof value.scope === "string" && (value.kind === "changed" || value.kind === "wanted");
}

/** The line over a BroadcastChannel; a browser without one, or that forbids it, has tabs that look for themselves. */
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

/** A page that is alone. */
export const noNews: JoinTabNews = () => nobody;
