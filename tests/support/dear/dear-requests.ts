/** A request that is cheap to send and was, or could be, expensive to answer. */
export type DearRequest = {
  name: string;
  /** `anyone` has only the publishable key, `account` has an access token. */
  sender: "anyone" | "account";
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. Node answers 431 to a header block over 16 kB, before the gateway. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: () => string;
};

const id = "00000000-0000-4000-8000-000000000000";
const jsonHeaders = { "content-type": "application/json" };
const bodyLimit = 1024 * 1024;
const queryLimit = 14_000;

/** Returns as many pieces as fit into `size` characters, separated by commas. */
const list = (size: number, piece: (index: number) => string): string => {
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    length += next.length + 1;
    if (length > size) return pieces.join(",");
    pieces.push(next);
  }
};

const arrayOf = (size: number, piece: (index: number) => string) => `[${list(size - 2, piece)}]`;
const objectOf = (size: number, piece: (index: number) => string) => `{${list(size - 2, piece)}}`;
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);

const post = (
  name: string,
  path: string,
  body: () => string,
  headers: Record<string, string> = {},
  sender: DearRequest["sender"] = "anyone",
): DearRequest => ({
  name,
  sender,
  method: "POST",
  path,
  headers: { ...jsonHeaders, ...headers },
  body,
});

const get = (name: string, path: string, headers: Record<string, string> = {}): DearRequest => ({
  name,
  sender: "anyone",
  method: "GET",
  path,
  headers,
});

const documents = "/rest/v1/documents";

const tables: DearRequest[] = [
  post("insert 2 000 rows that name different columns", documents, () =>
    JSON.stringify(Array.from({ length: 2_000 }, (_, row) => ({ [`c${row}`]: 1 }))),
  ),
  post("insert 1 MB of rows that name different columns", documents, () =>
    arrayOf(bodyLimit, (row) => `{"c${row}":1}`),
  ),
  post("insert 1 MB of empty rows", documents, () => arrayOf(bodyLimit, () => "{}")),
  post("insert 1 MB of rows of one column", documents, () => arrayOf(bodyLimit, () => '{"id":1}')),
  post("insert 1 MB of rows of two columns in turn", documents, () =>
    arrayOf(bodyLimit, (row) => (row % 2 === 0 ? '{"id":1}' : '{"title":1}')),
  ),
  post("insert one row of 1 MB of columns", documents, () =>
    objectOf(bodyLimit, (column) => `"c${column}":1`),
  ),
  post("insert one row of 2 500 columns", documents, () =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 2_500 }, (_, column) => [`c${column}`, 1])),
    ),
  ),
  post(
    "insert rows with many columns in columns=",
    `${documents}?columns=${list(queryLimit, (column) => `c${column}`)}`,
    () => arrayOf(100_000, () => '{"id":1}'),
  ),
  post(
    "insert a JSON value nested 500 000 deep",
    documents,
    () => `{"title":${nested(500_000, "[", "", "]")}}`,
  ),
  post(
    "insert 1 MB of numbers in one value",
    documents,
    () => `{"title":${arrayOf(bodyLimit - 12, () => "1")}}`,
  ),
  post(
    "upsert 1 MB of rows on many columns",
    `${documents}?on_conflict=${list(queryLimit, (column) => `c${column}`)}`,
    () => arrayOf(bodyLimit, () => '{"id":1}'),
    { prefer: "resolution=merge-duplicates" },
  ),
  post("insert 1 MB of CSV", documents, () => `id\n${"1\n".repeat(bodyLimit / 2 - 2)}`, {
    "content-type": "text/csv",
  }),
  post(
    "insert a CSV of 1 MB of columns",
    documents,
    () => list(bodyLimit - 2, (column) => `c${column}`) + "\n1",
    {
      "content-type": "text/csv",
    },
  ),
  {
    ...post("update with 1 MB of columns", `${documents}?id=eq.${id}`, () =>
      objectOf(bodyLimit, (column) => `"c${column}":1`),
    ),
    method: "PATCH",
  },
  {
    ...post("replace with 1 MB of rows", `${documents}?id=eq.${id}`, () =>
      arrayOf(bodyLimit, () => '{"id":1}'),
    ),
    method: "PUT",
  },
  {
    ...post("delete with a body of 1 MB", `${documents}?id=eq.${id}`, () =>
      arrayOf(bodyLimit, () => "1"),
    ),
    method: "DELETE",
  },
];

const addresses: DearRequest[] = [
  get("select 7 000 columns", `${documents}?select=${list(queryLimit, () => "id")}`),
  get(
    "select with casts and aliases",
    `${documents}?select=${list(queryLimit, (column) => `a${column}:id::text`)}`,
  ),
  get("select many JSON paths", `${documents}?select=${list(queryLimit, () => "id->a->b")}`),
  get(
    "select one JSON path of thousands of keys",
    `${documents}?select=id${"->a".repeat(queryLimit / 3)}`,
  ),
  get(
    "embed a table 800 times",
    `${documents}?select=${list(queryLimit, (index) => `e${index}:workspaces(id)`)}`,
  ),
  get("embed 3 000 deep", `${documents}?select=${nested(2_500, "a(", "id", ")")}`),
  get("and=, 2 000 deep", `${documents}?and=${nested(2_500, "(and", "(id.is.null)", ")")}`),
  get("or= of 1 000 filters", `${documents}?or=(${list(queryLimit, () => "id.is.null")})`),
  get("not, thousands of times", `${documents}?id=${"not.".repeat(queryLimit / 4)}is.null`),
  get("1 500 filters", `${documents}?${list(queryLimit, () => "id=is.null").replaceAll(",", "&")}`),
  get("7 000 parameters", `${documents}?${list(queryLimit, () => "a").replaceAll(",", "&")}`),
  get("in.() of 7 000 values", `${documents}?title=in.(${list(queryLimit, () => "a")})`),
  get("in.() of quoted values", `${documents}?title=in.(${list(queryLimit, () => "%22a%22")})`),
  get("order= of 7 000 columns", `${documents}?order=${list(queryLimit, () => "id")}`),
  get("order= of directions", `${documents}?order=${list(queryLimit, () => "id.desc.nullslast")}`),
  get(
    "a range of an array of 7 000 values",
    `${documents}?title=cs.{${list(queryLimit, () => "a")}}`,
  ),
  get("a pattern of many stars", `${documents}?title=like.${"*a".repeat(queryLimit / 2)}`),
  get("a regular expression", `${documents}?title=match.${"(a*)*".repeat(queryLimit / 5)}`),
  get("a search of 3 000 words", `${documents}?title=fts.${"a%7C".repeat(queryLimit / 4)}a`),
  get("14 kB of Prefer", documents, { prefer: list(queryLimit, () => "count=exact") }),
  get("14 kB of Accept", documents, { accept: list(queryLimit, () => "text/csv;q=0.1") }),
  get(
    "1 500 headers",
    documents,
    Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x-${index}`, "1"])),
  ),
  get("a path of 14 kB", `/rest/v1/${"a/".repeat(queryLimit / 2)}`),
  get("a table whose name is 14 kB long", `/rest/v1/${"a".repeat(queryLimit)}`),
  get("a function whose name is 14 kB long", `/rest/v1/rpc/${"a".repeat(queryLimit)}`),
];

const functions: DearRequest[] = [
  post("call a function with 1 MB of arguments", "/rest/v1/rpc/read_events", () =>
    objectOf(bodyLimit, (index) => `"a${index}":1`),
  ),
  post("call a function with 1 MB of argument lists", "/rest/v1/rpc/read_events", () =>
    arrayOf(bodyLimit, () => '{"a":1}'),
  ),
  post(
    "call a function with 500 000 nested arrays",
    "/rest/v1/rpc/read_events",
    () => `{"stream":${nested(500_000, "[", "", "]")}}`,
  ),
  post("call an unknown function with 1 MB of arguments", "/rest/v1/rpc/unknown", () =>
    objectOf(bodyLimit, (index) => `"a${index}":1`),
  ),
  get(
    "call a function with 2 000 arguments in its address",
    `/rest/v1/rpc/read_events?${list(queryLimit, (index) => `a${index}=1`).replaceAll(",", "&")}`,
  ),
  post(
    "append events nested 400 000 deep",
    "/rest/v1/rpc/append_events",
    () => `{"stream":"${id}","expected_version":0,"events":[${nested(400_000, "[", "", "]")}]}`,
    {},
    "account",
  ),
  post(
    "append 1 MB of events that are no events",
    "/rest/v1/rpc/append_events",
    () => `{"stream":"${id}","expected_version":0,"events":${arrayOf(bodyLimit - 100, () => "1")}}`,
    {},
    "account",
  ),
  post(
    "append events with 1 MB of keys",
    "/rest/v1/rpc/append_events",
    () =>
      `{"stream":"${id}","expected_version":0,"events":[${objectOf(bodyLimit - 100, (index) => `"a${index}":1`)}]}`,
    {},
    "account",
  ),
];

const storage: DearRequest[] = [
  post("sign 500 paths", "/storage/v1/object/sign/files", () =>
    JSON.stringify({
      expiresIn: 60,
      paths: Array.from({ length: 500 }, (_, index) => `a/${index}`),
    }),
  ),
  post(
    "sign 1 MB of paths",
    "/storage/v1/object/sign/files",
    () => `{"expiresIn":60,"paths":${arrayOf(bodyLimit - 30, () => '"a"')}}`,
  ),
  {
    ...post("remove 1 000 paths", "/storage/v1/object/files", () =>
      JSON.stringify({ prefixes: Array.from({ length: 1_000 }, (_, index) => `a/${index}`) }),
    ),
    method: "DELETE",
  },
  {
    ...post(
      "remove 1 MB of paths",
      "/storage/v1/object/files",
      () => `{"prefixes":${arrayOf(bodyLimit - 30, () => '"a"')}}`,
    ),
    method: "DELETE",
  },
  post("list a folder whose name is 1 MB long", "/storage/v1/object/list/files", () =>
    JSON.stringify({ prefix: "a/".repeat(bodyLimit / 2 - 20) }),
  ),
  post(
    "list from a body nested 500 000 deep",
    "/storage/v1/object/list/files",
    () => `{"prefix":"","sortBy":${nested(500_000, "[", "", "]")}}`,
  ),
  post("move from a name of 1 MB", "/storage/v1/object/move", () =>
    JSON.stringify({
      bucketId: "files",
      sourceKey: "a".repeat(bodyLimit / 2 - 50),
      destinationKey: "b".repeat(bodyLimit / 2 - 50),
    }),
  ),
  post("copy from a name of 1 MB", "/storage/v1/object/copy", () =>
    JSON.stringify({
      bucketId: "files",
      sourceKey: "a".repeat(bodyLimit / 2 - 50),
      destinationKey: "b".repeat(bodyLimit / 2 - 50),
    }),
  ),
  post(
    "make a bucket with 1 MB of types",
    "/storage/v1/bucket",
    () => `{"id":"a","name":"a","allowed_mime_types":${arrayOf(bodyLimit - 60, () => '"a"')}}`,
  ),
  post(
    "upload a form of 20 long fields",
    "/storage/v1/object/files/a",
    () =>
      Array.from(
        { length: 19 },
        (_, index) =>
          `--b\r\ncontent-disposition: form-data; name="${index}"\r\n\r\n${"a".repeat(50_000)}\r\n`,
      ).join("") + "--b--",
    { "content-type": "multipart/form-data; boundary=b" },
  ),
  get(
    "an object whose name is 14 kB of slashes",
    `/storage/v1/object/files/${"a/".repeat(queryLimit / 2)}`,
  ),
  get("14 kB of percent signs", `/storage/v1/object/files/${"%25".repeat(queryLimit / 3)}`),
];

const others: DearRequest[] = [
  post("sign in with a body nested 500 000 deep", "/auth/v1/token?grant_type=password", () =>
    nested(500_000, "[", "", "]"),
  ),
  post("sign in with 1 MB of fields", "/auth/v1/token?grant_type=password", () =>
    objectOf(bodyLimit, (index) => `"a${index}":1`),
  ),
  post(
    "sign up with 1 MB of data",
    "/auth/v1/signup",
    () =>
      `{"email":"dear","password":"","data":${objectOf(bodyLimit - 60, (index) => `"a${index}":1`)}}`,
  ),
  post("sign up with an address of 1 MB", "/auth/v1/signup", () =>
    JSON.stringify({ email: "a@".repeat(bodyLimit / 2 - 40), password: "12345678" }),
  ),
  {
    ...post(
      "change 1 MB of data of an account",
      "/auth/v1/user",
      () => `{"data":${objectOf(bodyLimit - 60, (index) => `"a${index}":1`)}}`,
      {},
      "account",
    ),
    method: "PUT",
  },
  post(
    "broadcast 1 MB of messages",
    "/realtime/v1/api/broadcast",
    () => `{"messages":${arrayOf(bodyLimit - 20, () => '{"topic":"a","event":"b","payload":{}}')}}`,
  ),
  post(
    "broadcast a payload nested 400 000 deep",
    "/realtime/v1/api/broadcast",
    () =>
      `{"messages":[{"topic":"a","event":"b","payload":{"a":${nested(400_000, "[", "", "]")}}}]}`,
  ),
  post(
    "call the invitation function with a body nested 500 000 deep",
    "/functions/v1/invite",
    () => nested(500_000, "[", "", "]"),
    {},
    "account",
  ),
  post("call a function that is not there", "/functions/v1/unknown", () => "a".repeat(bodyLimit)),
];

const repeat = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join(",");

/**
 * The largest requests that the gateway's bounds let through
 * (supabase/local/http/request-bounds.ts).
 */
const atTheBounds: DearRequest[] = [
  post("insert 1 000 rows of 5 columns", documents, () => {
    const row = `{"id":"${id}","workspace_id":"${id}","title":"a","phase":"a","rank":"a"}`;
    return `[${repeat(1_000, () => row)}]`;
  }),
  post("insert 1 000 rows that name 5 columns between them", documents, () => {
    const columns = ["id", "title", "icon", "phase", "rank"];
    return `[${repeat(1_000, (row) => `{"${columns[row % 5]}":null}`)}]`;
  }),
  post("insert 70 rows that name 70 columns between them", documents, () => {
    return `[${repeat(70, (row) => `{"c${row}":1}`)}]`;
  }),
  post("insert a value of 9 900 numbers", documents, () => {
    return `{"title":[${repeat(9_900, () => "1")}]}`;
  }),
  post("insert a value of 9 900 members", documents, () => {
    return `{"title":{${repeat(9_900, (index) => `"a${index}":1`)}}}`;
  }),
  post("insert one row of 1 600 unknown columns", documents, () => {
    return `{${repeat(1_600, (index) => `"c${index}":1`)}}`;
  }),
  post(
    "insert a CSV of 1 000 rows of 5 columns",
    documents,
    () => `id,title,icon,phase,rank\n${`${id},a,a,a,a\n`.repeat(990)}`,
    { "content-type": "text/csv" },
  ),
  get("select 499 columns", `${documents}?select=${repeat(499, () => "id")}`),
  get("select 160 JSON paths", `${documents}?select=${repeat(160, () => "id->a->b")}`),
  get(
    "embed a table 20 times",
    `${documents}?select=${repeat(20, (index) => `e${index}:workspaces(*)`)}`,
  ),
  get("order= of 499 columns", `${documents}?order=${repeat(499, () => "id.desc.nullslast")}`),
  get("in.() of 498 values", `${documents}?title=in.(${repeat(498, () => "a")})`),
  get("499 filters", `${documents}?${repeat(490, () => "id=is.null").replaceAll(",", "&")}`),
  get("and=, 100 deep", `${documents}?and=${nested(99, "(and", "(id.is.null)", ")")}`),
  get("or= of 498 filters", `${documents}?or=(${repeat(498, () => "id.is.null")})`),
  get("Prefer and Accept of 249 parts each", documents, {
    prefer: repeat(248, () => "count=exact"),
    accept: repeat(248, () => "text/csv"),
  }),
  post("call a function with 100 arguments", "/rest/v1/rpc/read_events", () => {
    return `{${repeat(100, (index) => `"a${index}":1`)}}`;
  }),
  post("call a function with one argument of 9 900 members", "/rest/v1/rpc/read_events", () => {
    return `{"stream":{${repeat(9_900, (index) => `"a${index}":1`)}}}`;
  }),
  post("remove 1 999 paths", "/storage/v1/object/files", () => {
    return `{"prefixes":[${repeat(1_999, (index) => `"a/${index}"`)}]}`;
  }),
  post("sign in with 990 fields", "/auth/v1/token?grant_type=password", () => {
    return `{${repeat(990, (index) => `"a${index}":1`)}}`;
  }),
  post(
    "change 990 fields of an account",
    "/auth/v1/user",
    () => `{"data":{${repeat(990, (index) => `"a${index}":1`)}}}`,
    {},
    "account",
  ),
  post("broadcast 2 400 messages", "/realtime/v1/api/broadcast", () => {
    return `{"messages":[${repeat(2_400, () => '{"topic":"a","event":"b","payload":{}}')}]}`;
  }),
].map((request) => {
  if (request.name.startsWith("remove")) return { ...request, method: "DELETE" };
  return request.name.startsWith("change") ? { ...request, method: "PUT" } : request;
});

/**
 * The most expensive cheap requests known for each endpoint, at the limits for bodies and
 * addresses.
 */
export const dearRequests: readonly DearRequest[] = [
  ...tables,
  ...addresses,
  ...functions,
  ...storage,
  ...others,
  ...atTheBounds,
];
