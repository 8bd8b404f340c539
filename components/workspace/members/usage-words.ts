import type { FileRoom } from "@/events/read-models/file-room";

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

function sizeWords(bytes: number): string {
  if (bytes < gigabyte) return `${Math.ceil(bytes / megabyte)} MB`;
  return `${Number((bytes / gigabyte).toFixed(1))} GB`;
}

/** Describes the used share of a workspace's file storage, and gives advice. */
export function usageWords({ bytes, most }: FileRoom): { used: string; advice: string } {
  const used = `${sizeWords(bytes)} of ${sizeWords(most)} used`;
  const way = "To make room, delete documents with files permanently from the trash.";
  if (bytes >= most)
    return { used, advice: `No image or file can be added, and writing goes on. ${way}` };
  if (bytes >= most * 0.9) return { used, advice: `Almost full. ${way}` };
  return {
    used,
    advice: "Images and files of all documents. One that several documents show counts once.",
  };
}
