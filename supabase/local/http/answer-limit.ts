import { once } from "node:events";
import { Socket } from "node:net";

/** The largest response of the database to one REST statement, in bytes. */
export const mostAnswered = 16 * 1024 * 1024;

const ready = "Z".charCodeAt(0);
const headLength = 5;

/**
 * Filters the messages from Postgres. If a statement's response exceeds `most` bytes, an error
 * replaces the rest of the response, up to ReadyForQuery. A message is a type byte, a four-byte
 * length that includes itself, and the payload.
 */
export class AnswerFilter {
  private readonly most: number;
  private readonly head = Buffer.alloc(headLength);
  private headBytes = 0;
  /** The remaining bytes of the current message, and whether the message is passed on. */
  private rest = 0;
  private passes = true;
  private count = 0;
  private isOver = false;

  constructor(most: number) {
    this.most = most;
  }

  /** Filters the next bytes. */
  take(bytes: Buffer): Buffer {
    const passed: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      if (this.rest === 0) {
        const taken = Math.min(headLength - this.headBytes, bytes.length - at);
        bytes.copy(this.head, this.headBytes, at, at + taken);
        this.headBytes += taken;
        at += taken;
        if (this.headBytes === headLength) passed.push(...this.begin());
      } else {
        const taken = Math.min(this.rest, bytes.length - at);
        if (this.passes) passed.push(bytes.subarray(at, at + taken));
        this.rest -= taken;
        at += taken;
      }
    }
    return passed.length === 1 && passed[0] ? passed[0] : Buffer.concat(passed);
  }

  /** Decides on a message once its header is complete. */
  private begin(): Buffer[] {
    this.headBytes = 0;
    this.rest = this.head.readUInt32BE(1) - 4;
    const isReady = this.head[0] === ready;
    this.count += headLength + this.rest;
    const ends = !this.isOver && !isReady && this.count > this.most;
    this.isOver = !isReady && (this.isOver || ends);
    this.passes = !this.isOver;
    if (isReady) this.count = 0;
    if (ends) return [tooLarge(this.most)];
    return this.passes ? [Buffer.from(this.head)] : [];
  }
}

/** Builds an ErrorResponse whose code follows PostgREST's convention for HTTP statuses. */
function tooLarge(most: number): Buffer {
  const detail = `An answer may hold at most ${most / 1024 / 1024} MB. Ask for fewer rows or columns.`;
  const fields = ["SERROR", "VERROR", "CPT400", "Mtoo-large", `D${detail}`, ""];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(""));
  const head = Buffer.from("E0000");
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

class FilteredSocket extends Socket {
  private readonly answerFilter: AnswerFilter;

  constructor(most: number) {
    super();
    this.answerFilter = new AnswerFilter(most);
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return super.push(null);
    const passed = this.answerFilter.take(chunk);
    return passed.length === 0 || super.push(passed, encoding);
  }
}

/**
 * Opens postgres.js connections on which a statement fails if its response exceeds `most` bytes.
 * postgres.js buffers all rows before the first is sent, and a few responses of hundreds of
 * megabytes would exhaust the process.
 */
export function limitedSocket(most: number) {
  return async ({ host, port }: { host: string[]; port: number[] }): Promise<Socket> => {
    const socket = new FilteredSocket(most);
    socket.connect({ host: host[0] ?? "localhost", port: port[0] ?? 5432 });
    await once(socket, "connect");
    return socket;
  };
}

/**
 * Whether a database connection is unencrypted, like the embedded database's. Encrypted connections
 * cannot be filtered.
 */
export function isPlain(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const ssl = searchParams.get("sslmode") ?? searchParams.get("ssl") ?? "disable";
  return hostname !== "" && (ssl === "disable" || ssl === "false");
}
