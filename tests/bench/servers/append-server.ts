// The embedded backend without pages, in a separate process so that the cost of appends can be
// separated from the clients' cost.
import { testBackend } from "@/tests/support/product/backend";

const backend = await testBackend();
process.on("message", (message) => {
  if (message === "cpu") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: (user + system) / 1000 });
  } else void backend.stop().then(() => process.exit(0));
});
process.send?.({ url: backend.url, keys: backend.keys });
