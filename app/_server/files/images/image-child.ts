import { writeFileSync } from "node:fs";
import os from "node:os";
import { doImageJob, type ImageJob } from "./image-job";

// Requests are answered first. On Linux this holds for the threads that this one starts, too.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
try {
  // Where the machine has no memory left, this process goes before the database does.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Another system has no such file.
}

process.on("message", (job: ImageJob) => {
  doImageJob(job).then(
    (made) => process.send?.({ made }),
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
// The server has ended.
process.on("disconnect", () => process.exit());
