import { Jobs, type Told } from "./jobs";
import { type Message } from "./remote-jobs";
import { transfersOf } from "./transfers";

const jobs = new Jobs();

// The types of the page's `self` stand for the worker's here: what it is told comes from `Background` alone.
self.onmessage = ({ data }: MessageEvent<Message<Told>>) => {
  const reply = jobs.take(data);
  self.postMessage(reply, { transfer: "value" in reply ? transfersOf(reply.value) : [] });
};
