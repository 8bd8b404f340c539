"use client";

import {
  ArrowLeftToLine,
  ArrowRightFromLine,
  Bookmark,
  Calendar,
  Columns2,
  Ellipsis,
  Eraser,
  GitFork,
  Keyboard,
  Link2,
  List,
  Maximize,
  Palette,
  ShieldCheck,
  SkipBack,
  SkipForward,
} from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import { MenuChoice, MenuHeading, MenuItem, MenuRule } from "@/components/ui/menu-parts";
import { axisOptions } from "@/components/history/timeline-bar/axis-choice";
import { FilterChoices } from "./filter-choices";
import { paceOf, paceLabels, pacingOf } from "./pace-choices";
import { type PlayerView } from "@/components/history/playback/player-view";
import { useMedia } from "@/components/ui/use-media";

type Props = {
  view: PlayerView;
  mayWrite: boolean;
  onVerify: () => void;
  /** For owners alone. */ onRedact?: (() => void) | undefined;
};

/** What else the player does; where there is little room, also what else stands in the control bar. */
export function ControlBarMenu({ view, mayWrite, onVerify, onRedact }: Props) {
  const compact = useMedia("(max-width: 1239px)");
  const phone = useMedia("(max-width: 767px)");
  const { timeline, colours, range, run } = view;
  return (
    <Menu
      label="More"
      wide
      align="end"
      trigger={
        <Button look="quiet" icon aria-label="More">
          <Icon of={Ellipsis} />
        </Button>
      }
    >
      {phone && timeline.timingMap.sessions.length > 1 && (
        <>
          <MenuItem icon={SkipBack} onSelect={() => run({ type: "SESSION", by: -1 })}>
            Previous session
          </MenuItem>
          <MenuItem icon={SkipForward} onSelect={() => run({ type: "SESSION", by: 1 })}>
            Next session
          </MenuItem>
        </>
      )}
      {phone && (
        <>
          <MenuItem icon={Columns2} onSelect={() => run({ type: "COMPARE" })}>
            Compare
          </MenuItem>
          <MenuItem icon={Bookmark} onSelect={() => run({ type: "VERSIONS" })}>
            {mayWrite ? "Name this version" : "Versions"}
          </MenuItem>
        </>
      )}
      {mayWrite && (
        <MenuItem icon={GitFork} onSelect={() => run({ type: "FORK" })}>
          Fork from here
        </MenuItem>
      )}
      <MenuItem icon={List} onSelect={() => run({ type: "CHAPTERS" })}>
        Chapters
      </MenuItem>
      <MenuItem icon={Calendar} shortcut="G" onSelect={() => run({ type: "GO_TO" })}>
        Go to a date or an edit
      </MenuItem>
      <MenuItem icon={Link2} shortcut="C" onSelect={() => run({ type: "COPY_LINK" })}>
        {range ? "Copy link to this range" : "Copy link to this moment"}
      </MenuItem>
      <MenuItem
        icon={ArrowRightFromLine}
        shortcut="I"
        onSelect={() => run({ type: "RANGE_START" })}
      >
        Play from here on only
      </MenuItem>
      <MenuItem icon={ArrowLeftToLine} shortcut="O" onSelect={() => run({ type: "RANGE_END" })}>
        Play up to here only
      </MenuItem>
      <MenuItem icon={Palette} shortcut="A" onSelect={() => run({ type: "COLOURS" })}>
        {colours ? "Hide author colours" : "Show author colours"}
      </MenuItem>
      {phone && (
        <MenuItem icon={ShieldCheck} onSelect={onVerify}>
          Verify history
        </MenuItem>
      )}
      <MenuItem icon={Maximize} shortcut="F" onSelect={() => run({ type: "FULL_SCREEN" })}>
        Full screen
      </MenuItem>
      {onRedact && (
        <MenuItem icon={Eraser} onSelect={onRedact}>
          Redact this edit…
        </MenuItem>
      )}
      <MenuItem icon={Keyboard} shortcut="?" onSelect={() => run({ type: "HELP" })}>
        Keys of the player
      </MenuItem>
      {compact && (
        <>
          <MenuRule />
          <MenuHeading>Pace</MenuHeading>
          <MenuChoice
            value={paceOf(view.pacing)}
            options={paceLabels}
            onChange={(pace) => run({ type: "PACING", pacing: pacingOf(pace) })}
          />
          <MenuRule />
          <MenuHeading>Axis</MenuHeading>
          <MenuChoice
            value={view.axis}
            options={axisOptions}
            onChange={(axis) => run({ type: "AXIS", axis })}
          />
        </>
      )}
      {phone && (
        <>
          <MenuRule />
          <FilterChoices {...view} />
        </>
      )}
    </Menu>
  );
}
