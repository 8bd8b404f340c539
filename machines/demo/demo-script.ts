import { answer, cut, erase, go, name, open, rename, type, wait } from "./demo-steps";
import type { DemoScene } from "./demo-steps";

/** The document's first title. */
export const demoFirstTitle = "Opening hours, draft";

/**
 * Twenty minutes of writing, spread over three weeks, in which Ana and Ben agree on the opening
 * hours of a village library.
 */
export const demoScenes: DemoScene[] = [
  {
    ana: [
      wait(8),
      type(
        "From January the library is open {lonegr|longer} on fewer days. This page says " +
          "when, why, and what we ask of you.",
      ),
      wait(17),
      erase(" and what we ask of you."),
      wait(6),
      type(" and what changes for the people who work here."),
      wait(21),
      open("heading"),
      type("The hours"),
      open("item"),
      type("Monday: closed"),
      open("item"),
      type("Tuesday to Friday: 10 to 18"),
      wait(11),
      erase("8"),
      type("9"),
      open("item"),
      type("Saturday: 9 to {15|14}"),
      open("item"),
      type("Sunday: closed, as ever"),
      wait(15),
      erase(", as ever"),
    ],
  },
  {
    ben: [
      wait(27),
      go("Sunday: closed"),
      open("heading"),
      type("Why we change them"),
      open("paragraph"),
      type(
        "We counted everybody who came through the door in October. On Mondays it was " +
          "{elven|eleven}. On Thursday evenings forty people stood on the step after we had " +
          "locked it.",
      ),
      wait(19),
      type(" A library that is shut when people are free is a {warehose|warehouse}."),
    ],
    ana: [
      wait(72),
      go("Tuesday to Friday: 10 to 19"),
      type(", Thursday to 21"),
      wait(30),
      go("when, why,"),
      cut(" and what changes for the people who work here"),
      type(" and what we ask of you"),
      wait(23),
      name("First draft"),
    ],
  },
  {
    later: 118,
    ben: [
      wait(40),
      go("Monday: closed"),
      wait(4),
      erase("closed"),
      type("14 to 17, reading room only"),
      wait(34),
      go("is a warehouse."),
      open("paragraph"),
      type(
        "But eleven is not nobody. Mrs Adeyemi comes on Mondays for the newspapers, and because it is warm.",
      ),
    ],
    ana: [
      wait(99),
      go("reading room only"),
      wait(10),
      {
        do: "comment",
        thread: "mondays",
        words: "14 to 17, reading room only",
        text: "Who sits there? You and I have five evenings already.",
      },
      wait(4),
      cut("14 to 17, reading room only"),
      type("closed"),
      wait(13),
      type(". We cannot staff it"),
    ],
  },
  {
    later: 22,
    ben: [
      wait(66),
      go("because it is warm."),
      type(" If we shut the door on her we should be able to say so to her face."),
      wait(7),
      answer("mondays", "Volunteers. I asked five people in October and all five said yes."),
      wait(20),
    ],
    ana: [
      wait(110),
      go("Monday: closed"),
      wait(17),
      cut(". We cannot staff it"),
      wait(38),
      erase("closed"),
      type("14 to 17, newspapers and the {reeding|reading} room, kept by volunteers"),
      answer("mondays", "Then it stays, on trial. I have put it back."),
      wait(11),
    ],
  },
  {
    later: 95,
    ben: [
      wait(29),
      { do: "resolve", thread: "mondays" },
      wait(20),
      go("open longer on fewer days"),
      wait(6),
      erase(" on fewer days"),
      type(", and on Mondays after all"),
      wait(46),
      go("to her face."),
      cut(" If we shut the door on her we should be able to say so to her face."),
      type(
        " So the reading room stays open for three hours, and five people have offered to sit with it.",
      ),
    ],
    ana: [
      wait(57),
      go("because it is warm."),
      wait(20),
      rename("When the library is open"),
      wait(64),
      go("kept by volunteers"),
      erase("kept by volunteers"),
      type("with a {volnuteer|volunteer} at the desk"),
      wait(9),
      name("To the committee"),
    ],
  },
  { later: 73, ben: [wait(42), { do: "trash" }], ana: [wait(78), { do: "restore" }, wait(10)] },
  {
    ben: [
      go("offered to sit with it."),
      type(" (Sorry. Wrong page.)"),
      wait(14),
      cut(" (Sorry. Wrong page.)"),
      wait(6),
    ],
  },
  {
    later: 98,
    ana: [
      wait(9),
      {
        do: "comment",
        thread: "forty",
        words: "forty people",
        text: "Forty? I stood there too, and I counted thirty-one.",
      },
      wait(10),
      go("to sit with it."),
      open("heading"),
      type("What we ask of you"),
      open("paragraph"),
      type(
        "Books can come back at any hour, through the flap beside the door. Please do not " +
          "leave them on the step: {lats|last} winter we dried forty of them on the radiators, " +
          "and one was a loan from Leeds.",
      ),
      wait(28),
      open("paragraph"),
      type(
        "If you would like to keep a Monday, ask at the desk. You need no training, only " +
          "patience with the photocopier.",
      ),
    ],
    ben: [
      wait(44),
      answer("forty", "The counter on the door says forty. It may have counted Mr Price’s dog."),
      wait(34),
      go("to Friday: 10 to 19, Thursday to 21"),
      wait(11),
      { do: "mark", words: "Thursday to 21", mark: "bold" },
      wait(59),
      go("stood on the step"),
      type(", in the rain,"),
      wait(25),
      cut(", in the rain,"),
    ],
  },
  {
    later: 70,
    ben: [
      wait(63),
      go("patience with the photocopier."),
      open("quote"),
      type("We will count again in April, and change our minds if the numbers do."),
      wait(32),
      rename("When the library is open, from January"),
    ],
    ana: [
      wait(122),
      go("change our minds if the numbers do"),
      wait(8),
      erase(" if the numbers do"),
      wait(15),
      type(" if we were wrong"),
      wait(38),
    ],
  },
  {
    ana: [
      wait(34),
      go("one was a loan from Leeds"),
      wait(6),
      { do: "mark", words: "from Leeds", mark: "italic" },
      wait(57),
      name("As printed"),
    ],
  },
];
