"use client";

import { Check, CloudOff, History, Info, TriangleAlert } from "lucide-react";
import { EmptyList } from "@/components/workspace/list/empty-list";
import { PeopleHere } from "@/components/document/bar/people-here";
import { SaveStatus } from "@/components/document/bar/save-status";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { Status } from "@/components/ui/status";
import { people } from "./people-of-gallery";
import { Kind, Specimen } from "./specimen";

const tones = [
  { tone: "quiet", icon: Check, label: "Saved" },
  { tone: "done", icon: Check, label: "Verified" },
  { tone: "warn", icon: CloudOff, label: "Offline" },
  { tone: "bad", icon: TriangleAlert, label: "Not saved" },
] as const;

const statuses = [
  { label: "Saved", tone: "calm" },
  { label: "Saving…", tone: "busy" },
  { label: "Offline", tone: "warning" },
  { label: "Not connected", tone: "warning" },
  { label: "Not saved", tone: "problem" },
] as const;

/** Shows status lines, banners, form errors and empty states. */
export function Messages() {
  return (
    <Kind name="Messages">
      <Specimen name="Status">
        {tones.map(({ tone, icon, label }) => (
          <Status key={tone} tone={tone} icon={icon} label={label} sentence="In a sentence." />
        ))}
      </Specimen>
      <Specimen name="SaveStatus">
        {statuses.map((status) => (
          <SaveStatus
            key={status.label}
            status={{ ...status, sentence: "In a sentence.", action: null }}
          />
        ))}
      </Specimen>
      <Specimen name="Banner, plain">
        <div className="whole">
          <Banner icon={Info}>You can read this workspace but no longer edit it.</Banner>
        </div>
      </Specimen>
      <Specimen name="Banner, warn, with an action">
        <div className="whole">
          <Banner tone="warn" icon={CloudOff} actions={<Button look="edge">Try again</Button>}>
            You’re offline. Your changes are kept on this device.
          </Banner>
        </div>
      </Specimen>
      <Specimen name="Banner, bad, with two actions">
        <div className="whole">
          <Banner
            tone="bad"
            icon={TriangleAlert}
            actions={
              <>
                <Button look="edge">Copy them</Button>
                <Button look="quiet">Let go of them</Button>
              </>
            }
          >
            These changes aren’t saved on the server yet. Keep this tab open.
          </Banner>
        </div>
      </Specimen>
      <Specimen name="Banner, with two actions, to be dismissed">
        <div className="whole">
          <Banner
            icon={Info}
            onDismiss={() => undefined}
            actions={
              <>
                <Button look="edge">Play it in 20 seconds</Button>
                <Button look="edge">What changed</Button>
              </>
            }
          >
            Since you were last here: Ben wrote about 9 words.
          </Banner>
        </div>
      </Specimen>
      <Specimen name="FormNotice">
        <div className="whole">
          <FormNotice problem="This address and password don’t go together." stamp={0} />
        </div>
      </Specimen>
      <Specimen name="EmptyList, to writers and readers">
        <div className="whole">
          <EmptyList onNew={() => undefined} />
          <EmptyList />
        </div>
      </Specimen>
      <Specimen name="PeopleHere, two and seven">
        <PeopleHere people={people.slice(0, 2)} />
        <PeopleHere people={people} onFollow={() => undefined} whom={people[1]?.userId ?? null} />
      </Specimen>
      <Specimen name="Icon">
        <Status icon={History} label="16 and 14 pixels" />
      </Specimen>
    </Kind>
  );
}
