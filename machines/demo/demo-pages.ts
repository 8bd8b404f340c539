import { cut, go, open, type, wait } from "./demo-steps";
import type { DemoPerson, DemoScene, DemoStep } from "./demo-steps";

type DemoPage = {
  key: string;
  title: string;
  icon: string;
  ago: number;
  scenes: readonly DemoScene[];
};

/**
 * Shorter pages by the same two people, which make the workspace look used. `ago` is the number of
 * hours since the writing ended.
 */
export const demoPages: readonly DemoPage[] = [
  {
    key: "lending",
    title: "What we lend besides books",
    icon: "🪜",
    ago: 27,
    scenes: [
      {
        ben: [
          type("Ask at the desk. Everything goes out for three weeks, like a {nobel|novel}."),
          open("item"),
          type("Two sewing machines"),
          open("item"),
          type("A projector, and the sheet that goes with it"),
          open("item"),
          type("Walking maps, 1:25 000"),
          open("item"),
          type("One very good ladder"),
          wait(12),
        ],
      },
      {
        later: 167,
        ana: [go("One very good ladder"), wait(5), type(", to members over eighteen")],
      },
      {
        later: 71,
        ben: [
          go("Walking maps, 1:25 000"),
          open("item"),
          type("A telescope, when it is not in the window"),
          wait(9),
        ],
      },
    ],
  },
  {
    key: "minutes",
    title: "Committee, November",
    icon: "🗣️",
    ago: 191,
    scenes: [
      {
        ana: [
          type("Present: Ana, Ben, Mrs Adeyemi, Mr Price. Apologies: the photocopier."),
          open("heading"),
          type("Decided"),
          open("item"),
          type("Three hours on Mondays, from January, on trial until April."),
          open("item"),
          type("The step gets a lamp."),
          open("heading"),
          type("To do"),
          open("item"),
          type("Ben asks about the lamp."),
          wait(8),
        ],
      },
      {
        later: 46,
        ben: [go("Ben asks about the lamp."), wait(4), type(" Done; it comes on Tuesday.")],
      },
    ],
  },
  {
    key: "rota",
    title: "Volunteer rota, winter",
    icon: "🗓️",
    ago: 51,
    scenes: [
      {
        ben: [
          type("Two people on a Monday, three when it is {raning|raining}."),
          open("item"),
          type("1 December: Mrs Adeyemi, Mr Price"),
          open("item"),
          type("8 December: Mr Price, and whoever he brings"),
          open("item"),
          type("15 December: nobody yet"),
          wait(21),
        ],
      },
      {
        later: 94,
        ana: [go("15 December: "), wait(3), cut("nobody yet"), type("Ana, with the cash box")],
      },
      {
        later: 49,
        ben: [
          go("with the cash box"),
          open("paragraph"),
          type(
            "Swap among yourselves; write it here, so that the door is never locked on anybody.",
          ),
          wait(6),
        ],
      },
    ],
  },
  {
    key: "keys",
    title: "Opening and closing up",
    icon: "🔑",
    ago: 312,
    scenes: [
      {
        ana: [
          type("The alarm gives you forty seconds. Count them aloud the first time."),
          open("heading"),
          type("In the morning"),
          open("item"),
          type("Lights, then heating, then the flap for returned books"),
          open("heading"),
          type("In the evening"),
          open("item"),
          type("Look behind the atlases; somebody reads there"),
          open("item"),
          type("The back window sticks. Lift, then {push|pull}"),
          wait(14),
        ],
      },
      { later: 22, ben: [go("Count them aloud the first time."), type(" It helps.")] },
    ],
  },
];

/** The title of the guide beside the demo document. */
export const demoGuideTitle = "Start here";

export const demoGuide: DemoStep[] = [
  type(
    "This workspace belongs to Ana and Ben, who run a village library. Look around as " +
      "either of them; nothing you do here can be lost, because nothing written here is " +
      "ever overwritten.",
  ),
  open("heading"),
  type("Watch a page being written"),
  open("paragraph"),
  type(
    "Open “When the library is open, from January”, then History, then Play. It took " +
      "them three weeks, an argument about Mondays and one accident with the trash. You " +
      "see every letter in the order in which it was typed, and who typed it.",
  ),
  open("heading"),
  type("Write together"),
  open("item"),
  type("Open this page in a second window as the other person, and type in both."),
  open("item"),
  type(
    "Press / at the start of a line for headings, lists, tables and code; select words for the rest.",
  ),
  open("item"),
  type(
    "Pull out the network cable and keep writing. The page says what is kept on this " +
      "device, and sends it when you are back.",
  ),
  open("heading"),
  type("Go back"),
  open("paragraph"),
  type(
    "In History, “Restore this moment” brings any earlier text back as a new change. " +
      "What stood here until then stays in the history as well.",
  ),
];

/** The pages that Ben has moved into the session's document, after its fork. */
export const demoInside: readonly string[] = ["keys", "rota"];

/** Ana's fork of the session's text for the door, from the version that went to the committee. */
export const demoFork: {
  version: string;
  title: string;
  icon: string;
  who: DemoPerson;
  ago: number;
  scenes: readonly DemoScene[];
} = {
  version: "To the committee",
  title: "Opening hours, for the door",
  icon: "🚪",
  who: "ana",
  ago: 140,
  scenes: [
    {
      ana: [
        go("when, why,"),
        cut(" This page says when, why, and what we ask of you."),
        wait(12),
        go("Why we change them"),
        cut("Why we change them"),
        type("Why"),
        wait(8),
      ],
    },
    { later: 3, ben: [go("on Mondays after all"), wait(5), type(". Come in")] },
  ],
};
