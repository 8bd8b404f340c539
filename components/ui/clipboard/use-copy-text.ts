"use client";

import { copyText, uncopied } from "./clipboard";
import { useToast } from "../toast";

/** Copies a text and says `done`, or `failed` where the browser does not allow it. */
export type CopyText = (text: string, done: string, failed?: string) => Promise<void>;

/** Gives the function that copies a text and says in a toast what came of it. */
export function useCopyText(): CopyText {
  const toast = useToast();
  return async (text, done, failed = uncopied) =>
    toast({ text: (await copyText(text)) ? done : failed });
}
