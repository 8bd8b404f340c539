"use client";

import { copyText, uncopied } from "./clipboard";
import { useToast } from "../toast";

/** Copies a text and shows `done`, or `failed` if the browser does not allow copying. */
export type CopyText = (text: string, done: string, failed?: string) => Promise<void>;

/** Returns a function that copies a text and reports the result in a toast. */
export function useCopyText(): CopyText {
  const toast = useToast();
  return async (text, done, failed = uncopied) =>
    toast({ text: (await copyText(text)) ? done : failed });
}
