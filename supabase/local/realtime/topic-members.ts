import type { Announcement, Frame, Serializer } from "./frames/frame";
import { Presence } from "./presence";

/** A joined channel, as seen by its topic. */
type Member = {
  serializer: Serializer;
  /** The topic under which this member joined. */
  topic: string;
  receives(announcement: Announcement): boolean;
  deliver(frame: Frame, announcement: Announcement): void;
};

/** The members and presences of one topic, public or private. */
export class TopicMembers {
  readonly members = new Set<Member>();
  readonly presence = new Presence<Member>();

  /**
   * Sends to all members except `except`, and returns the number of receivers. Each protocol
   * version is encoded once, however many members receive it.
   */
  publish(announcement: Announcement, except?: Member): number {
    let told = 0;
    const frames = new Map<Serializer, Frame | null>();
    for (const member of this.members) {
      if (member === except || !member.receives(announcement)) continue;
      let frame = frames.get(member.serializer);
      if (frame === undefined) {
        frame = member.serializer.announce(member.topic, announcement);
        frames.set(member.serializer, frame);
      }
      if (frame === null) continue;
      member.deliver(frame, announcement);
      told += 1;
    }
    return told;
  }
}

/** The members of all topics. A public and a private topic with the same name are separate. */
export class TopicRegistry {
  private readonly topics = new Map<string, TopicMembers>();

  /** The number of topics with members. */
  get size(): number {
    return this.topics.size;
  }

  /** Returns the members of a topic, or undefined if it has none. */
  find(topic: string, isPrivate: boolean): TopicMembers | undefined {
    return this.topics.get(topicKey(topic, isPrivate));
  }

  /** Adds a member to a topic. The first member creates the topic. */
  enter(topic: string, isPrivate: boolean, member: Member): TopicMembers {
    const name = topicKey(topic, isPrivate);
    const topicMembers = this.topics.get(name) ?? new TopicMembers();
    this.topics.set(name, topicMembers);
    topicMembers.members.add(member);
    return topicMembers;
  }

  /** Removes a member, and removes a topic without members. */
  leave(topic: string, isPrivate: boolean, member: Member): void {
    const name = topicKey(topic, isPrivate);
    const topicMembers = this.topics.get(name);
    topicMembers?.members.delete(member);
    if (topicMembers?.members.size === 0) this.topics.delete(name);
  }
}

function topicKey(topic: string, isPrivate: boolean): string {
  return `${isPrivate ? "private" : "public"}:${topic}`;
}
