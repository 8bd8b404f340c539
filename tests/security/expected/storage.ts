import type { Case, Cases } from "../support/cases";
import type { Shows } from "../support/expectation";
import type { Target } from "../support/scene";

/** The product's buckets. None has a policy: only the service reads and writes them. */
export const buckets: Readonly<Record<string, "closed">> = {
  avatars: "closed",
  files: "closed",
  uploads: "closed",
};

/** A bucket made for the matrix, without a policy. */
export const bucket = "matrix";

const content: Shows = { service: ["file content"] };
const object =
  (kind: string) =>
  ({ file }: Target) =>
    `/storage/v1/object${kind}/${bucket}/${file}`;
const get = (path: Case["path"]): Case[] => [{ path, shows: content, answers: "service" }];
const call = (
  method: string,
  path: Case["path"],
  body: (target: Target) => object | string = () => ({}),
): Case[] => [
  {
    path,
    ask: (target) => ({ method, body: body(target) }),
    shows: {},
    answers: "service",
    notByService: true,
  },
];
const at = (rest: string) => () => `/storage/v1/${rest}`;
const moved = ({ file }: Target) => ({
  bucketId: bucket,
  sourceKey: file,
  destinationKey: "elsewhere",
});

/** The requests for a bucket and an object. Callers without a policy find neither of them. */
export const storage: Cases = {
  "GET bucket": [{ path: at("bucket"), shows: {}, answers: "service" }],
  "GET bucket/…": [{ path: at(`bucket/${bucket}`), shows: {}, answers: "service" }],
  "POST bucket": call("POST", at("bucket"), () => ({ id: "mine", name: "mine", public: true })),
  "PUT bucket/…": call("PUT", at(`bucket/${bucket}`), () => ({ public: true })),
  "POST bucket/…/empty": call("POST", at(`bucket/${bucket}/empty`)),
  "DELETE bucket/…": call("DELETE", at(`bucket/${bucket}`)),
  "GET object/…": get(object("")),
  "GET object/authenticated/…": get(object("/authenticated")),
  "GET object/info/…": [{ path: object("/info"), shows: {}, answers: "service" }],
  "GET object/public/…": [{ path: object("/public"), shows: {}, answers: "nobody" }],
  "GET object/sign/…": [
    { path: (target) => `${object("/sign")(target)}?token=x`, shows: {}, answers: "nobody" },
  ],
  "POST object/list/…": [
    {
      path: at(`object/list/${bucket}`),
      ask: () => ({ method: "POST", body: { prefix: "" } }),
      shows: { service: ["file name"] },
      answers: "service",
    },
  ],
  "POST object/sign/…": call("POST", object("/sign"), () => ({ expiresIn: 60 })),
  // The answer lists each object as nonexistent.
  "POST object/sign/… of many": [
    {
      path: at(`object/sign/${bucket}`),
      ask: ({ file }) => ({ method: "POST", body: { expiresIn: 60, paths: [file] } }),
      shows: {},
      answers: "keyed",
    },
  ],
  "POST object/upload/sign/…": call("POST", object("/upload/sign")),
  "PUT object/upload/sign/…": call("PUT", object("/upload/sign"), () => "mine"),
  "POST object/…": call("POST", at(`object/${bucket}/new.txt`), () => "mine"),
  "PUT object/…": call("PUT", object(""), () => "mine"),
  "POST object/copy": call("POST", at("object/copy"), moved),
  "POST object/move": call("POST", at("object/move"), moved),
  "DELETE object/…": call("DELETE", object("")),
  "DELETE object/… of many": call("DELETE", at(`object/${bucket}`), ({ file }) => ({
    prefixes: [file],
  })),
};
