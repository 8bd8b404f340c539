import type { ReadingPlace } from "@/components/frame/reading-place";

/** Where a reader of the past is led first: to where they were in the present, or to a block by its key. */
export type ComingFrom = ReadingPlace | { key: string };
