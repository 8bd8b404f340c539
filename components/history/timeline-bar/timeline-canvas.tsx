"use client";

import { useEffect, useRef } from "react";
import { personClass } from "@/components/ui/pictures/palette";
import type { Axis } from "@/components/history/playback/timeline-axis";
import type { Bar } from "./author-rows";
import { paintTimeline } from "./timeline-paint";
import type { Ink } from "./timeline-paint";
import { usePaintedTheme } from "./use-painted-theme";
import styles from "./timeline-bar.module.css";

type Props = {
  axis: Axis;
  bars: readonly (readonly Bar[])[];
  /** The palette index of each author row. */
  colours: readonly number[];
  head: number;
  range: { left: number; right: number } | null;
  wide: boolean;
  width: number;
};

const broad = { authorRow: 19, gap: 5, bar: 4 };
const slim = { authorRow: 9, gap: 2, bar: 2 };

/** Draws the author rows on a canvas. The slider above it has the accessible text. */
export function TimelineCanvas({ axis, bars, colours, head, range, wide, width }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const swatches = useRef<HTMLSpanElement>(null);
  const theme = usePaintedTheme();
  const { authorRow, gap, bar } = wide ? broad : slim;
  const height = colours.length * (authorRow + gap);
  // The head moves on every frame, but the drawing changes only when the head passes a bar.
  const passed = (Math.floor((head * width) / (bar + 1)) * (bar + 1)) / width;
  const { left, right } = range ?? { left: 0, right: 1 };
  const whole = range === null;
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || !swatches.current) return;
    const scale = window.devicePixelRatio || 1;
    element.width = Math.round(width * scale);
    element.height = Math.round(height * scale);
    const drawing = {
      sessionTracks: axis.sessionTracks,
      authorRows: bars,
      head: passed,
      range: whole ? null : { left, right },
    };
    paintTimeline(context, { width, authorRow, gap, bar, scale }, inkOf(swatches.current), drawing);
  }, [axis, bars, passed, whole, left, right, width, height, authorRow, gap, bar, theme, colours]);
  return (
    <>
      <canvas ref={canvas} className={styles.canvas} style={{ blockSize: height }} aria-hidden />
      <span ref={swatches} className={styles.swatches} aria-hidden>
        {colours.map((colour, index) => (
          <i key={index} className={personClass(colour)} />
        ))}
        <i />
        <i />
      </span>
    </>
  );
}

/** Reads the current colours of the theme, because a canvas cannot refer to CSS variables. */
function inkOf(swatches: HTMLElement): Ink {
  const colours = [...swatches.children].map((swatch) => getComputedStyle(swatch).color);
  return {
    authorRows: colours.slice(0, -2),
    rule: colours.at(-2) ?? "",
    wash: colours.at(-1) ?? "",
  };
}
