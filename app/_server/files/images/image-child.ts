import { writeFileSync } from "node:fs";
import os from "node:os";
import { doImageJob } from "./image-job";
import type { ImageJob } from "./image-job";

// Requests have priority over images. On Linux, threads started from this one inherit the priority.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
try {
  // If memory runs out, the kernel kills this process before the database.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Only Linux has this file.
}

process.on("message", (job: ImageJob) => {
  doImageJob(job).then(
    (made) => process.send?.({ made }),
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
// The channel closes when the server has ended.
process.on("disconnect", () => process.exit());
