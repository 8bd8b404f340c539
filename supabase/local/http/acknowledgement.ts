import type { FolderWatch } from "../process/folder-watch";
import type { Backend } from "../gateway";
import { refusal } from "./refusals";

const sentence =
  "The data of this workspace is not where it was, so nothing can be saved. What you " +
  "wrote is kept in this browser and is sent when the workspace is back.";

/** Wraps a backend so that it responds only while its data folder is still in place. */
export function acknowledging<
  Given extends Pick<Backend, "rest" | "storage" | "auth" | "functions">,
>(backend: Given, folder: Pick<FolderWatch, "holds">): Given {
  const held =
    <Arguments extends unknown[]>(answer: (...args: Arguments) => Promise<Response>) =>
    async (...args: Arguments): Promise<Response> => {
      const response = await answer(...args);
      return (await folder.holds()) ? response : refusal(503, "data_gone", sentence);
    };
  return {
    ...backend,
    rest: held(backend.rest),
    storage: held(backend.storage),
    auth: held(backend.auth),
    functions: held(backend.functions),
  };
}
