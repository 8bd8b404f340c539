import { reportUncaught } from "@/components/loading/uncaught-errors";

// Next runs this file in each page before anything else of it. `sendErrorsTo` belongs here.
reportUncaught(window);
