/** An author of the demo. */
export type DemoPerson = "ana" | "ben";

export type DemoBlock = "paragraph" | "heading" | "item" | "quote";

/**
 * One action of an author. In typed words, `{wrong|right}` is a slip: the author types the wrong
 * word, notices, erases and corrects it.
 */
export type DemoStep =
  | { do: "type"; words: string }
  | { do: "open"; block: DemoBlock }
  | { do: "go"; after: string }
  | { do: "erase"; words: string }
  | { do: "cut"; words: string }
  | { do: "mark"; words: string; mark: "bold" | "italic" }
  | { do: "wait"; seconds: number }
  | { do: "rename"; title: string }
  /** Names the current version. */
  | { do: "name"; name: string }
  | { do: "trash" }
  | { do: "restore" }
  | { do: "comment"; thread: string; words: string; text: string }
  | { do: "answer"; thread: string; text: string }
  | { do: "resolve"; thread: string };

/**
 * A scene in which both authors write side by side. The next scene starts when both have finished,
 * or `later` hours afterwards.
 */
export type DemoScene = { [Person in DemoPerson]?: DemoStep[] } & { later?: number };

export const type = (words: string): DemoStep => ({ do: "type", words });
export const open = (block: DemoBlock): DemoStep => ({ do: "open", block });
export const go = (after: string): DemoStep => ({ do: "go", after });
export const erase = (words: string): DemoStep => ({ do: "erase", words });
export const cut = (words: string): DemoStep => ({ do: "cut", words });
export const wait = (seconds: number): DemoStep => ({ do: "wait", seconds });
export const answer = (thread: string, text: string): DemoStep => ({ do: "answer", thread, text });
export const name = (name: string): DemoStep => ({ do: "name", name });
export const rename = (title: string): DemoStep => ({ do: "rename", title });
