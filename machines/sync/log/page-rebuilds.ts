import { type Random } from "@/events/core/clock";
import { type ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { Listeners } from "../channel/listeners";
import {
  rebuildPage,
  type RebuildInput,
  type RebuildReason,
  type RebuildRequest,
} from "./page-rebuild";

/** Making edits again on top of the log, as a stage that finds that they have to be asks for it. */
export type Rebase = {
  /** Whether it is going on; nothing is sent until it is done. */
  readonly active: boolean;
  ask(request: RebuildRequest): void;
  /** Resolves once it is done, or has to wait for something that is being composed. */
  settled(): Promise<void>;
};

type Input = Omit<RebuildInput, "clientId" | "outdated"> & {
  random: Pick<Random, "clientId">;
  /** What of the others' unlogged text a page that is built now does not show, unless the request says otherwise. */
  old(): NonNullable<RebuildRequest["forget"]>;
  /** Nothing is being built any more. */
  done(): void;
};

/** How many reasons are remembered, for a report. */
const rememberedReasons = 20;

/** The rebuilding of one page: one at a time, begun anew when another reason comes up meanwhile. */
export class PageRebuilds implements Rebase {
  private readonly input: Input;
  private readonly putOff = new Listeners();
  private requests: RebuildRequest[] = [];
  private building: Promise<void> | null = null;
  private ended = false;
  private given: readonly RebuildReason[] = [];

  constructor(input: Input) {
    this.input = input;
  }

  get active(): boolean {
    return this.building !== null;
  }

  /** Why it was rebuilt, the last times. */
  get reasons(): readonly RebuildReason[] {
    return this.given;
  }

  ask(request: RebuildRequest): void {
    this.requests.push({ forget: this.input.old(), ...request });
    this.building ??= this.build().finally(() => {
      this.building = null;
      if (!this.ended) this.input.done();
    });
  }

  async settled(): Promise<void> {
    let stop = () => {};
    const putOff = new Promise<void>((resolve) => (stop = this.putOff.add(resolve)));
    await Promise.race([this.building, putOff]);
    stop();
  }

  end(): void {
    this.ended = true;
  }

  private async build(): Promise<void> {
    while (this.requests.length > 0 && !this.ended) {
      const requests = [...this.requests];
      const outdated = () => this.ended || this.requests.length > requests.length;
      const clientId = this.input.random.clientId();
      const exchange = (made: ClientRebase) => {
        this.requests = [];
        const reasons = new Set(requests.map(({ reason }) => reason));
        this.given = [...this.given, ...reasons].slice(-rememberedReasons);
        this.input.provisional.forget((entry) => requests.some(({ forget }) => forget?.(entry)));
        this.input.exchange(made);
      };
      const settle = () => this.settle();
      const outcome = await rebuildPage(
        { ...this.input, clientId, outdated, settle, exchange },
        requests,
      );
      if (outcome === "unneeded") this.requests = [];
    }
  }

  private settle(): Promise<void> | null {
    const busy = this.input.settle();
    if (busy) this.putOff.notify();
    return busy;
  }
}
