import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import sharp from "sharp";
import { dearFiles, fullPages, openPages } from "@/tests/support/dear/dear-places";
import type { DearPlace } from "@/tests/support/dear/dear-places";
import { dearRequests } from "@/tests/support/dear/dear-requests";
import type { DearRequest } from "@/tests/support/dear/dear-requests";

/** The resources of an attacker: an address, the publishable key, and an account. */
export type Arms = {
  url: string;
  key: string;
  token: string;
  cookie: string;
  place: DearPlace;
};
/** Sends one request, or a few related requests, and waits for the answers. */
type Shot = (arms: Arms, signal: AbortSignal) => Promise<void>;
type Attack = { name: string; shots: (arms: Arms) => Promise<Shot[]> };

async function read(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: "manual" });
  await answer.arrayBuffer();
  return answer;
}

function shotOf({ sender, method, path, headers, body }: DearRequest): Shot {
  // The body is built once, so that its cost is not part of the attack.
  const bytes = body === undefined ? null : Buffer.from(body());
  return async ({ url, key, token, cookie }, signal) => {
    const own = sender === "account" ? { authorization: `Bearer ${token}`, cookie } : {};
    await read(url + path, {
      method,
      signal,
      headers: { ...headers, apikey: key, ...own },
      ...(bytes && { body: new Uint8Array(bytes) }),
    });
  };
}

const catalogue = (matches: (path: string) => boolean) => async () =>
  dearRequests.filter(({ path }) => matches(path)).map(shotOf);

/** Uploads a small image file with the maximum number of pixels, as a new file of the document. */
async function imageShots(): Promise<Shot[]> {
  const side = { width: 7_000, height: 7_000 };
  const image = await sharp({ create: { ...side, channels: 3, background: "teal" } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const bytes = new Uint8Array(image);
  return [
    async ({ url, cookie, place }, signal) => {
      const path = `${url}/d/${place.document}/files/${randomUUID()}`;
      const headers = { "content-type": "application/json", origin: url, cookie };
      const begun = await fetch(path, {
        method: "POST",
        signal,
        headers,
        body: JSON.stringify({ bytes: bytes.length }),
      });
      const [, address] = /"address":"([^"]*)"/.exec(await begun.text()) ?? [];
      if (address === undefined) return;
      await read(new URL(address, url).href, { method: "PUT", signal, body: new Blob([bytes]) });
      const body = JSON.stringify({ id: randomUUID(), name: "teal.png", kind: "image" });
      await read(path, { method: "PUT", signal, headers, body });
    },
  ];
}

const json = { "content-type": "application/json" };

/** Sign-ins with a wrong password and sign-ups, each with another address. Each costs one hash. */
const passwordShots: Shot[] = [
  async ({ url, key }, signal) => {
    const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: "p".repeat(72) });
    const headers = { ...json, apikey: key };
    await read(`${url}/auth/v1/signup`, { method: "POST", signal, headers, body });
    const path = `${url}/auth/v1/token?grant_type=password`;
    await read(path, { method: "POST", signal, headers, body: body.replace("ppp", "ppq") });
  },
];

/** Opens a connection whose body arrives byte by byte until it is aborted. */
const slowBody: Shot = ({ url, key }, signal) =>
  new Promise((settle) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const end = () => {
      clearInterval(timer);
      socket.destroy();
      settle();
    };
    const timer = setInterval(() => socket.write("1"), 200);
    socket.write(
      `POST /rest/v1/rpc/read_events HTTP/1.1\r\nhost: ${hostname}:${port}\r\napikey: ${key}\r\n` +
        "content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{",
    );
    socket.once("error", end).once("close", end).resume();
    signal.addEventListener("abort", end, { once: true });
  });

/** The kinds of expensive requests. An attack sends its shots in turn, several at once. */
export const attacks: readonly Attack[] = [
  { name: "tables over REST", shots: catalogue((path) => /^\/rest\/v1\/(?!rpc)/.test(path)) },
  { name: "functions over REST", shots: catalogue((path) => path.startsWith("/rest/v1/rpc/")) },
  { name: "storage", shots: catalogue((path) => path.startsWith("/storage/")) },
  {
    name: "auth, realtime, functions",
    shots: catalogue((path) => /^\/(auth|realtime|functions)\//.test(path)),
  },
  { name: "pages of a full workspace", shots: async ({ place }) => fullPages(place).map(shotOf) },
  { name: "pages for nobody", shots: async () => openPages.map(shotOf) },
  { name: "files of a long document", shots: async ({ place }) => dearFiles(place).map(shotOf) },
  { name: "images of 49 megapixels", shots: imageShots },
  { name: "passwords", shots: async () => passwordShots },
  { name: "slow bodies", shots: async () => Array.from({ length: 200 }, () => slowBody) },
];
