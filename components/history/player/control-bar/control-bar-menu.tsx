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
  ShieldCheck,
  SkipBack,
  SkipForward,
} from "lucide-react";
import { playerShortcuts as keys } from "@/components/commands/player-shortcuts";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import { MenuChoice, MenuHeading, MenuItem, MenuRule } from "@/components/ui/menu-parts";
import { colours } from "@/components/history/playback/colour";
import { axisOptions } from "@/components/history/timeline-bar/axis-choice";
import { FilterChoices } from "./filter-choices";
import { paceOf, paceLabels, pacingOf } from "./pace-choices";
import { RevertChoices } from "./revert-choices";
import type { PlayerView } from "@/components/history/playback/player-view";
import type { RestoreRequest } from "@/events/revisions/restore";
import { useMedia } from "@/components/ui/screen/use-media";

type Props = {
  view: PlayerView;
  mayWrite: boolean;
  onVerify: () => void;
  /** Asks to revert one person's changes. Absent if the reader may not write. */
  onRevert?: ((request: RestoreRequest) => void) | undefined;
  /** Opens the redaction dialog. Absent for all but owners. */ onRedact?: (() => void) | undefined;
};

/** Offers the player's further actions and, on narrow screens, those without room in the bar. */
export function ControlBarMenu({ view, mayWrite, onVerify, onRevert, onRedact }: Props) {
  const compact = useMedia("(max-width: 1239px)");
  const phone = useMedia("(max-width: 767px)");
  const { timeline, colour, range, run } = view;
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
          <MenuItem icon={SkipBack} onSelect={() => run({ type: "session", by: -1 })}>
            Previous session
          </MenuItem>
          <MenuItem icon={SkipForward} onSelect={() => run({ type: "session", by: 1 })}>
            Next session
          </MenuItem>
        </>
      )}
      {phone && (
        <>
          <MenuItem icon={Columns2} onSelect={() => run({ type: "compare" })}>
            Compare
          </MenuItem>
          <MenuItem icon={Bookmark} onSelect={() => run({ type: "versions" })}>
            {mayWrite ? "Name this version" : "Versions"}
          </MenuItem>
        </>
      )}
      {mayWrite && (
        <MenuItem icon={GitFork} onSelect={() => run({ type: "fork" })}>
          Fork from here
        </MenuItem>
      )}
      {onRevert && <RevertChoices {...view} onRevert={onRevert} />}
      <MenuItem icon={List} onSelect={() => run({ type: "chapters" })}>
        Chapters
      </MenuItem>
      <MenuItem
        icon={Calendar}
        shortcut={keys.goTo.shown[0]}
        onSelect={() => run({ type: "go.to" })}
      >
        Go to a date or an edit
      </MenuItem>
      <MenuItem
        icon={Link2}
        shortcut={keys.copyLink.shown[0]}
        onSelect={() => run({ type: "copy.link" })}
      >
        {range ? "Copy link to this range" : "Copy link to this moment"}
      </MenuItem>
      <MenuItem
        icon={ArrowRightFromLine}
        shortcut={keys.rangeStart.shown[0]}
        onSelect={() => run({ type: "range.start" })}
      >
        Start playback range here
      </MenuItem>
      <MenuItem
        icon={ArrowLeftToLine}
        shortcut={keys.rangeEnd.shown[0]}
        onSelect={() => run({ type: "range.end" })}
      >
        End playback range here
      </MenuItem>
      {phone && (
        <MenuItem icon={ShieldCheck} onSelect={onVerify}>
          Verify history
        </MenuItem>
      )}
      <MenuItem
        icon={Maximize}
        shortcut={keys.fullScreen.shown[0]}
        onSelect={() => run({ type: "full.screen" })}
      >
        Full screen
      </MenuItem>
      {onRedact && (
        <MenuItem icon={Eraser} onSelect={onRedact}>
          Redact this edit…
        </MenuItem>
      )}
      <MenuItem
        icon={Keyboard}
        shortcut={keys.help.shown[0]}
        onSelect={() => run({ type: "help" })}
      >
        Keyboard shortcuts
      </MenuItem>
      {phone && (
        <>
          <MenuRule />
          <MenuHeading>Colour</MenuHeading>
          <MenuChoice
            value={colour}
            options={colours}
            onChange={(next) => run({ type: "colour", colour: next })}
          />
        </>
      )}
      {compact && (
        <>
          <MenuRule />
          <MenuHeading>Pace</MenuHeading>
          <MenuChoice
            value={paceOf(view.pacing)}
            options={paceLabels}
            onChange={(pace) => run({ type: "pacing", pacing: pacingOf(pace) })}
          />
          <MenuRule />
          <MenuHeading>Axis</MenuHeading>
          <MenuChoice
            value={view.axis}
            options={axisOptions}
            onChange={(axis) => run({ type: "axis", axis })}
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
