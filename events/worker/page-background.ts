import { Background } from "./background";

/** This page's history worker, in browsers that support one. */
export const pageBackground = new Background(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "history" }),
);
