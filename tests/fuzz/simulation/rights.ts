import type { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import type { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import type { Access } from "@/machines/sync/status/sync-events";
import type { Ledger } from "./ledger";
import type { Page } from "./page";

type Role = "editor" | "viewer" | null;

/** The parts of a run, for code that changes it. */
export type World = {
  backend: MemoryBackend;
  clock: VirtualClock;
  random: ReturnType<typeof seededRandom>;
  ledger: Ledger;
  pages(): readonly Page[];
};

/** The access of all people: changes apply to the server at once, and to each page later. */
export class Rights {
  /** When each person lost access. */
  readonly removedAt = new Map<string, number>();
  private readonly roles = new Map<string, Role>();
  private readonly input: World;

  constructor(input: World) {
    this.input = input;
  }

  roleOf(user: string): Role {
    return this.roles.get(user) ?? null;
  }

  accessOf(user: string): Access {
    const role = this.roleOf(user);
    if (role === null) return "none";
    return role === "editor" && !this.input.backend.trashed ? "write" : "read";
  }

  give(user: string, role: Role): void {
    const { backend, clock, ledger } = this.input;
    const before = this.roleOf(user);
    if (role === before) return;
    this.roles.set(user, role);
    backend.allow(user, role);
    if (role === null) this.removedAt.set(user, clock.elapsed());
    else this.removedAt.delete(user);
    this.note(user);
    if (role === null) ledger.count("removed");
    else if (before === "editor") ledger.count("lowered");
    else ledger.count("raised");
    for (const page of this.input.pages()) if (page.user === user) this.tellLater(page);
  }

  /** Puts the document into the trash, or takes it out. */
  trash(trashed: boolean): void {
    const { backend, ledger } = this.input;
    if (backend.trashed === trashed) return;
    backend.trashed = trashed;
    if (trashed) ledger.count("trashed");
    for (const user of this.roles.keys()) this.note(user);
    for (const page of this.input.pages()) this.tellLater(page);
  }

  private note(user: string): void {
    this.input.ledger.right(user, this.accessOf(user) === "write");
  }

  /** Informs a page through the workspace's log: after a while, and not while its line is cut. */
  private tellLater(page: Page, delay = this.input.random.below(3_000)): void {
    this.input.clock.after(delay, () => {
      if (page.line.whole && !page.stalling.clock.stalled && !this.input.backend.stopped)
        page.tell(this.accessOf(page.user));
      else if (page.open) this.tellLater(page, 1_000);
    });
  }
}
