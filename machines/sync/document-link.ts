import type { Actor } from "xstate";
import type { Subscription } from "@/events/realtime/channel";
import type { CurrentPageDoc } from "./page/current-page-doc";
import type { DocumentChannel } from "./channel/document-channel";
import type { DocumentPipeline } from "./document-pipeline";
import type { syncMachine } from "./status/sync";
import type { Access } from "./status/sync-events";

type Input = {
  pipeline: Pick<DocumentPipeline, "contactLost" | "doubt"> & {
    page: { readonly current: Pick<CurrentPageDoc, "joined" | "left"> };
  };
  channel: Pick<DocumentChannel, "interval">;
  sync: Actor<typeof syncMachine>;
  access(): Access;
};

/** Reports the state of a document's channel to its machine and its page. */
export class DocumentLink {
  private readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  /** Called when the channel was joined, when it is lost, and when it has ended for good. */
  changed(state: ReturnType<Subscription["state"]>): void {
    const { pipeline, sync, access } = this.input;
    if (state === "joined") {
      pipeline.contactLost();
      // The log may have been replaced since it was read. This page received no notice without a
      // channel.
      pipeline.doubt();
      // A person who was removed and admitted again has their earlier rights until a notice says
      // otherwise.
      if (sync.getSnapshot().value.access === "none")
        sync.send({ type: "access.changed", access: access() });
      pipeline.page.current.joined();
      sync.send({ type: "link.joined" });
    } else {
      pipeline.doubt();
      pipeline.page.current.left();
      sync.send({ type: state === "connecting" ? "link.connecting" : "link.lost" });
      if (state === "gone") sync.send({ type: "access.changed", access: "none" });
    }
    this.updateDelay();
  }

  /** Updates the flush delay, which depends on the number of people who are typing. */
  updateDelay(): void {
    const { channel, sync } = this.input;
    const delay = channel.interval();
    if (delay !== sync.getSnapshot().context.delay) sync.send({ type: "slowed", delay });
  }
}
