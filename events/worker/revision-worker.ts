import { type Message } from "./remote-jobs";
import { RevisionJobs, type RevisionTold } from "./revision-jobs";
import { transfersOf } from "./transfers";

const jobs = new RevisionJobs();

// The types of the page's `self` stand for the worker's here: what it is told comes from `Revising` alone.
self.onmessage = ({ data }: MessageEvent<Message<RevisionTold>>) => {
  const reply = jobs.take(data);
  self.postMessage(reply, { transfer: "value" in reply ? transfersOf(reply.value) : [] });
};
