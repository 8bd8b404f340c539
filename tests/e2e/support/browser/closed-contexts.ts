import { afterAll } from "vitest";
import { closeContexts } from "./shared-browser";

// Registered before a file's own hooks, so that it runs after them.
afterAll(closeContexts);
