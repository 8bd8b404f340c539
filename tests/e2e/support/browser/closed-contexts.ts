import { afterAll } from "vitest";
import { closeContexts } from "./shared-browser";

// Registered before a file's own, so that it comes after them.
afterAll(closeContexts);
