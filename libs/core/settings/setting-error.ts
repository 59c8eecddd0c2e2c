/** A setting is wrong or missing: `message` is the one line that the operator sees. */
export class SettingError extends Error {
  /** The message is enough: no stack is shown. */
  readonly explained = true;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
  }
}
