import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadForm, firstFile } from "./multipart";

async function* cut(bytes: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function written(form: FormData): Promise<{ bytes: Uint8Array; type: string }> {
  const response = new Response(form);
  return {
    type: response.headers.get("content-type") ?? "",
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

async function all(chunks: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  return Buffer.concat(parts);
}

describe("a form", () => {
  test("[DOOR-21] yields its fields and its file's bytes, wherever it is split", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (content, sizes) => {
          const form = new FormData();
          form.append("cacheControl", "3600");
          // supabase-js sends the file in a field without a name.
          form.append(
            "",
            new Blob([content.slice(), "\r\n--", content.slice()], { type: "image/png" }),
            'a "name".png',
          );
          const { bytes, type } = await written(form);
          const file = await firstFile(cut(bytes, sizes), type);
          expect([...(file?.fields ?? [])]).toEqual([["cacheControl", "3600"]]);
          expect(file?.type).toBe("image/png");
          expect(
            Buffer.compare(
              await all(file?.body ?? cut(new Uint8Array(), [1])),
              Buffer.concat([content, Buffer.from("\r\n--"), content]),
            ),
          ).toBe(0);
        },
      ),
    );
  });

  test("[DOOR-21] without a file yields none", async () => {
    const form = new FormData();
    form.append("cacheControl", "3600");
    const { bytes, type } = await written(form);
    expect(await firstFile(cut(bytes, [7]), type)).toBeNull();
  });

  const around = (value: string, fields = 1) =>
    `${`--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n`.repeat(fields)}--b--`;
  const named = 'Content-Disposition: form-data; name="a"\r\nX: ';
  const withHead = (length: number) =>
    `--b\r\n${named}${"x".repeat(length - named.length)}\r\n\r\nx\r\n--b--`;
  const taken = (text: string, size: number) =>
    firstFile(cut(Buffer.from(text), [size]), "multipart/form-data; boundary=b").then(
      () => "taken",
      (error: unknown) => (error instanceof BadForm ? "refused" : "failed"),
    );
  test.each([
    ["a field of 64 KiB", (more: number) => around("x".repeat(65_536 + more))],
    ["a head of 8 KiB", (more: number) => withHead(8_192 + more)],
    ["nineteen fields before its end", (more: number) => around("x", 19 + more)],
  ])("[LIMIT-4] accepts %s and one less, not one more, wherever it is split", async (_, form) => {
    for (const size of [1_000, 8_191, 1_000_000])
      expect(await Promise.all([-1, 0, 1].map((more) => taken(form(more), size)))).toEqual([
        "taken",
        "taken",
        "refused",
      ]);
  });

  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  test.each([
    ["no boundary", "", "multipart/form-data"],
    ["nothing", "", "multipart/form-data; boundary=b"],
    ["a boundary and no more", "--b\r\n", "multipart/form-data; boundary=b"],
    [
      "a field without end",
      `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"x".repeat(100_000)}`,
      "multipart/form-data; boundary=b",
    ],
    ["a head without end", `--b\r\n${"x".repeat(100_000)}`, "multipart/form-data; boundary=b"],
    [
      "a field without a name",
      "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
      "multipart/form-data; boundary=b",
    ],
    [
      "many fields",
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(50),
      "multipart/form-data; boundary=b",
    ],
  ])("[DOOR-21] with %s is refused", async (_name, text, type) => {
    await expect(firstFile(cut(Buffer.from(text), [1000]), type)).rejects.toThrow(BadForm);
  });

  test("[DOOR-21] that breaks off within its file fails its reader", async () => {
    const file = await firstFile(
      cut(Buffer.from(`${head}half of it`), [10]),
      'multipart/form-data; boundary="b"',
    );
    await expect(all(file?.body ?? cut(new Uint8Array(), [1]))).rejects.toThrow(BadForm);
  });
});
