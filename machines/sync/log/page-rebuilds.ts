import type { Random } from "@/events/core/clock";
import type { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { Listeners } from "../channel/listeners";
import { rebuildPage } from "./page-rebuild";
import type { RebuildInput, RebuildReason, RebuildRequest } from "./page-rebuild";

/** Rebases edits on top of the log at the request of any stage. */
export type Rebase = {
  /** Whether a rebase is in progress; nothing is sent until it is done. */
  readonly active: boolean;
  ask(request: RebuildRequest): void;
  /** Resolves once it is done, or has to wait for a composition. */
  settled(): Promise<void>;
};

type Input = Omit<RebuildInput, "clientId" | "outdated"> & {
  random: Pick<Random, "clientId">;
  /** Default for `forget`: which of the others' unlogged updates a page built now does not show. */
  old(): NonNullable<RebuildRequest["forget"]>;
  /** Called when no rebuild is in progress any more. */
  done(): void;
};

/** Number of reasons remembered for a report. */
const rememberedReasons = 20;

/** Rebuilds one page, one rebuild at a time; starts over when another request arrives meanwhile. */
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
