import { answerMessages } from "./worker-scope";

// The types of the page's `self` stand for the worker's here: what it is told comes from `Background` alone.
answerMessages(self, async () => {
  const { Jobs } = await import("./jobs");
  return new Jobs();
});
