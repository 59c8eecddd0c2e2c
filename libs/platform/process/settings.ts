/**
 * The operator's settings, parsed and checked. `config/settings.ts` declares them;
 * `config/env.ts` reads them.
 */
export class Settings {}

/** The two wire variants of version 1.0. */
export type VariantName = Settings['variant'];

/** An error that the operator can solve. Its message is one line that says how, shown without a stack. */
export abstract class OperatorError extends Error {}

/** Settings are wrong or missing; one line for each. */
export class SettingError extends OperatorError {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
