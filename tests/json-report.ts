import type { SerializedError } from "vitest";
import { JsonReporter } from "vitest/node";
import type { TestModule } from "vitest/node";

/** Vitest's JSON report with errors thrown outside of tests: `unhandledErrors`, one text each. */
export default class JsonReport extends JsonReporter {
  private errors: readonly SerializedError[] = [];

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[] = [],
  ): Promise<void> {
    this.errors = errors;
    return super.onTestRunEnd(modules);
  }

  override writeReport(report: string): Promise<void> {
    const unhandledErrors = this.errors.map(({ stack, message }) => stack ?? message);
    return super.writeReport(JSON.stringify({ ...JSON.parse(report), unhandledErrors }));
  }
}
