import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const path = join(tmpdir(), `palimpsest-turns-${process.pid}.sock`);
const watch = new URL("turn-watch.mjs", import.meta.url).href;

/** What a product is started with so that its turns are watched. */
export const turnWatch = { NODE_OPTIONS: `--import ${watch}`, TURN_WATCH: path };

/** The processor time of the longest turn of its main thread since this was asked last, in ms, or somewhat more. */
export const longestTurn = async (): Promise<number> => Number(await text(connect(path)));
