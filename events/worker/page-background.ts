import { Background } from "./background";

/** The background of this page: a worker, where the browser gives one. */
export const pageBackground = new Background(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "history" }),
);
