import { makeTemplate } from "./database";

/** The set-up of the tests that have a database each: making one takes longer than most of them. */
export default makeTemplate;
