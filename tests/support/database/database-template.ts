import { makeTemplate } from "./database";

/**
 * Global setup for tests with a database of their own: creating one takes longer than most tests.
 */
export default makeTemplate;
