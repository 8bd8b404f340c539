import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";

const barWidth = 4;
const mostAuthorRows = 6;

/** Returns the current colour of a person, resolved for a canvas. */
function colourOf({ color }: Person): string {
  const probe = document.createElement("i");
  probe.className = `p${color % 12}`;
  probe.style.color = "var(--person)";
  document.body.append(probe);
  const { color: resolved } = getComputedStyle(probe);
  probe.remove();
  return resolved;
}

/**
 * Draws the amount of writing over time on a canvas, with a row for each author and a line for each
 * marked revision.
 */
export function drawDensity(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  people: readonly Person[],
  marked: readonly number[],
): void {
  const pen = canvas.getContext("2d");
  const { width, height } = canvas.getBoundingClientRect();
  if (!pen || width === 0) return;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  pen.scale(devicePixelRatio, devicePixelRatio);
  const authorRows = Math.max(1, Math.min(mostAuthorRows, people.length));
  const count = Math.max(1, Math.floor(width / barWidth));
  const counts = people.map(() => new Uint32Array(count));
  for (let index = 0; index < timeline.length; index += 1) {
    const bar = Math.floor(
      (timeline.timingMap.playedAt(index) / Math.max(1, timeline.timingMap.length)) * (count - 1),
    );
    const row = counts[timeline.authorOf(index)];
    if (row) row[bar] = (row[bar] ?? 0) + 1;
  }
  const most = counts.reduce(
    (high, row) => row.reduce((top, value) => Math.max(top, value), high),
    1,
  );
  const authorRowHeight = height / authorRows;
  for (const [author, row] of counts.entries()) {
    const bottom = (Math.min(author, authorRows - 1) + 1) * authorRowHeight;
    pen.fillStyle = colourOf(people[author] ?? { userId: "", name: "", color: 10 });
    for (const [bar, value] of row.entries()) {
      if (value === 0) continue;
      const tall = (0.2 + 0.8 * Math.sqrt(value / most)) * (authorRowHeight - 3);
      pen.fillRect(bar * barWidth, bottom - tall, barWidth - 1, tall);
    }
  }
  pen.fillStyle = getComputedStyle(canvas).color;
  for (const revision of marked)
    pen.fillRect(
      Math.round(
        (timeline.timingMap.playedAt(revision) / Math.max(1, timeline.timingMap.length)) *
          (width - 2),
      ),
      0,
      2,
      height,
    );
}
