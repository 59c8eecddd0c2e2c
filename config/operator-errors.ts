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
