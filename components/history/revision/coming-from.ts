import type { ReadingPlace } from "@/components/frame/reading-place";

/**
 * The place of a text that is shown first: the reader's place in the live text, or a block by its
 * key.
 */
export type ComingFrom = ReadingPlace | { key: string };
