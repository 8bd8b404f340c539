import type { Random } from "@/events/core/clock";
import type { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { Listeners } from "../channel/listeners";
import { rebuildPage } from "./page-rebuild";
import type { RebuildInput, RebuildReason, RebuildRequest } from "./page-rebuild";

/** The interface by which any stage requests a rebase of edits on top of the log. */
export type Rebase = {
  /** Whether a rebase is in progress. Sending waits until it is done. */
  readonly active: boolean;
  ask(request: RebuildRequest): void;
  /** Resolves once the rebase is done, or has to wait for a composition. */
  settled(): Promise<void>;
};

type Input = Omit<RebuildInput, "clientId" | "outdated"> & {
  random: Pick<Random, "clientId">;
  /** Returns the default for `forget`: the unlogged updates that a page built now does not show. */
  old(): NonNullable<RebuildRequest["forget"]>;
  /** Called when no rebuild is in progress any more. */
  done(): void;
};

/** The number of reasons that are remembered for a report. */
const rememberedReasons = 20;

/** Rebuilds one page, one rebuild at a time. A request during a rebuild makes it start over. */
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

  /** The reasons of the latest rebuilds. */
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
