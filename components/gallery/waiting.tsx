import { Progress } from "@/components/ui/progress";
import { Skeleton } from "@/components/ui/skeleton";
import { Kind, Specimen } from "./specimen";

/** Shows the loading states. */
export function Waiting() {
  return (
    <Kind name="Waiting">
      <Specimen name="Skeleton, after 200 ms">
        <div className="whole">
          <Skeleton lines={4} label="Loading the text" />
        </div>
      </Specimen>
      <Specimen name="Progress, unknown, begun, done">
        <Progress label="Reading" value={null} most={1} words="Reading the history" />
        <Progress label="Checking" value={1_200} most={4_800} words="1 200 of 4 800 events" />
        <Progress label="Checked" value={4_800} most={4_800} words="4 800 of 4 800 events" />
      </Specimen>
    </Kind>
  );
}
