import { describe, expect, it } from "vitest";
import { FrameError } from "./frame";
import { pushFrame } from "../fake-client";
import { serializerV1 } from "./serializer-v1";
import { serializerV2 } from "./serializer-v2";

const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const user = {
  kind: "user",
  event: "user_event",
  encoding: "binary",
  bytes: Buffer.from("efg"),
  meta: null,
} as const;

describe("version 2.0.0", () => {
  it("[RT-1] reads an array of five and ignores what follows", () => {
    const message = {
      joinRef: "1",
      ref: "2",
      topic: "t",
      event: "e",
      body: { kind: "json", value: { m: 1 } },
    };
    expect(serializerV2.decode(text(["1", "2", "t", "e", { m: 1 }]), false)).toEqual(message);
    expect(serializerV2.decode(text(["1", "2", "t", "e", { m: 1 }, "more"]), false)).toEqual(
      message,
    );
    expect(serializerV2.decode(text([null, null, "t", "e", {}]), false)).toMatchObject({
      joinRef: null,
      ref: null,
    });
  });

  it.each([
    ["a bare string", text("t")],
    ["an object of version 1.0.0", text({ topic: "t", event: "e", payload: {}, ref: "1" })],
    ["an array of four", text(["1", "2", "t", "e"])],
    ["a topic that is not a string", text(["1", "2", 3, "e", {}])],
    ["invalid JSON", Buffer.from("hello")],
  ])("[RT-2] refuses %s", (_, frame) => {
    expect(() => serializerV2.decode(frame, false)).toThrow(FrameError);
  });

  it("[RT-1] reads a broadcast of kind 3 with its payload as bytes", () => {
    const frame = Buffer.concat([
      Buffer.from([3, 2, 3, 5, 10, 0, 0]),
      Buffer.from("12123topicuser_eventefg"),
    ]);
    expect(serializerV2.decode(frame, true)).toEqual({
      joinRef: "12",
      ref: "123",
      topic: "topic",
      event: "broadcast",
      body: { kind: "user", event: "user_event", encoding: "binary", bytes: Buffer.from("efg") },
    });
  });

  it("[RT-1] reads a broadcast of kind 3 with JSON, metadata and letters of several bytes", () => {
    const frame = pushFrame({
      topic: "réaltime:ä",
      event: "ü",
      metadata: '{"store":true}',
      encoding: 1,
      payload: '{"a":"b"}',
    });
    expect(serializerV2.decode(frame, true)).toEqual({
      joinRef: null,
      ref: null,
      topic: "réaltime:ä",
      event: "broadcast",
      body: { kind: "user", event: "ü", encoding: "json", bytes: Buffer.from('{"a":"b"}') },
    });
  });

  it("[RT-1] reads a push of kind 0 without its data", () => {
    const frame = Buffer.concat([Buffer.from([0, 2, 3, 5, 5]), Buffer.from("12123topiceventefg")]);
    expect(serializerV2.decode(frame, true)).toMatchObject({
      joinRef: "12",
      ref: "123",
      topic: "topic",
      event: "event",
    });
  });

  it.each([
    ["of an unknown kind", Buffer.from([9, 0, 0])],
    ["without any bytes", Buffer.alloc(0)],
    ["shorter than its header", Buffer.from([3, 1, 1])],
    ["shorter than its declared lengths", Buffer.from([3, 200, 200, 5, 5, 0, 1, 65])],
    [
      "with metadata that is not JSON",
      pushFrame({ topic: "t", event: "e", metadata: "{", encoding: 1, payload: "{}" }),
    ],
  ])("[RT-2] refuses a binary frame %s", (_, frame) => {
    expect(() => serializerV2.decode(frame, true)).toThrow(FrameError);
  });

  it("[RT-3] writes replies and pushes as arrays", () => {
    const reply = {
      joinRef: "12",
      ref: "123",
      topic: "t",
      event: "phx_reply",
      payload: { status: "ok", response: {} },
    };
    expect(serializerV2.encode(reply)).toEqual({
      binary: false,
      bytes: text(["12", "123", "t", "phx_reply", { status: "ok", response: {} }]),
    });
  });

  it("[RT-3] writes a broadcast as kind 4, byte for byte", () => {
    const expected = Buffer.concat([
      Buffer.from([4, 5, 10, 0, 0]),
      Buffer.from("topicuser_eventefg"),
    ]);
    expect(serializerV2.announce("topic", user)).toEqual({ binary: true, bytes: expected });
    const withMeta = Buffer.concat([
      Buffer.from([4, 5, 10, 10, 1]),
      Buffer.from('topicuser_event{"id":"x"}{"a":1}'),
    ]);
    const json = {
      ...user,
      encoding: "json",
      bytes: Buffer.from('{"a":1}'),
      meta: { id: "x" },
    } as const;
    expect(serializerV2.announce("topic", json)).toEqual({ binary: true, bytes: withMeta });
  });

  it("[RT-3] writes a broadcast that came as text as text", () => {
    const frame = serializerV2.announce("t", {
      kind: "json",
      event: "broadcast",
      text: '{"m":1}',
      id: null,
    });
    expect(frame).toEqual({ binary: false, bytes: text([null, null, "t", "broadcast", { m: 1 }]) });
  });

  it("[RT-3] uses text for names above 255 bytes, and returns null for bytes then", () => {
    const event = "e".repeat(256);
    const json = { ...user, event, encoding: "json", bytes: Buffer.from("1") } as const;
    expect(serializerV2.announce("t", json)).toEqual({
      binary: false,
      bytes: text([null, null, "t", "broadcast", { type: "broadcast", event, payload: 1 }]),
    });
    expect(serializerV2.announce("t", { ...user, event })).toBeNull();
    expect(serializerV2.announce("t", { ...user, event: "e".repeat(255) })?.bytes[2]).toBe(255);
  });
});

describe("version 1.0.0", () => {
  it("[RT-1] reads an object, with or without join_ref", () => {
    const body = { kind: "json", value: { m: 1 } };
    const message = { topic: "t", event: "e", payload: { m: 1 }, ref: "2" };
    expect(serializerV1.decode(text(message), false)).toEqual({
      joinRef: null,
      ref: "2",
      topic: "t",
      event: "e",
      body,
    });
    expect(serializerV1.decode(text({ ...message, join_ref: "1" }), false)).toMatchObject({
      joinRef: "1",
    });
  });

  it.each(["topic", "event", "payload", "ref"])(
    "[RT-2] refuses an object without %s",
    (missing) => {
      const message: Record<string, unknown> = { topic: "t", event: "e", payload: {}, ref: "1" };
      delete message[missing];
      expect(() => serializerV1.decode(text(message), false)).toThrow(FrameError);
    },
  );

  it("[RT-2] refuses an array and every binary frame", () => {
    expect(() => serializerV1.decode(text(["1", "2", "t", "e", {}]), false)).toThrow(FrameError);
    expect(() => serializerV1.decode(Buffer.from([3, 0]), true)).toThrow(FrameError);
  });

  it("[RT-3] never writes a join_ref", () => {
    const bytes = text({ topic: "t", event: "e", payload: {}, ref: "2" });
    expect(
      serializerV1.encode({ joinRef: "1", ref: "2", topic: "t", event: "e", payload: {} }),
    ).toEqual({ binary: false, bytes });
  });

  it("[RT-4] writes JSON broadcasts as text, and returns null for bytes", () => {
    const json = {
      ...user,
      encoding: "json",
      bytes: Buffer.from('{"a":1}'),
      meta: { id: "x" },
    } as const;
    const payload = {
      type: "broadcast",
      event: "user_event",
      payload: { a: 1 },
      meta: { id: "x" },
    };
    expect(serializerV1.announce("t", json)?.bytes.toString()).toBe(
      JSON.stringify({ topic: "t", event: "broadcast", payload, ref: null }),
    );
    expect(serializerV1.announce("t", user)).toBeNull();
    expect(serializerV1.announce("t", { ...json, bytes: Buffer.from("{not json") })).toBeNull();
  });
});
