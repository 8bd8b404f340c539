"use client";

import { copyText, uncopied } from "./clipboard";
import { useToast } from "./toast";

/** Copies a text and says that it did, or that it could not. */
export function useCopyText(): (text: string, done: string) => Promise<void> {
  const toast = useToast();
  return async (text, done) => toast({ text: (await copyText(text)) ? done : uncopied });
}
