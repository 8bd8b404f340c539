import { reportUncaught } from "@/components/loading/uncaught-errors";

// Next runs this file in each page before any other code. `sendErrorsTo` belongs here.
reportUncaught(window);
