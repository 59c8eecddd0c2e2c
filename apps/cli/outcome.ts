import { OperatorError } from '@app/config/operator-errors';

/** Exit codes of the command line (docs/cli.md). */
export const EXIT = {
  ok: 0,
  /** Nothing or only a part was done. The last line on standard error says what to do. */
  failed: 1,
  /** Wrong command, option or file format. Nothing was changed. */
  wrongUse: 2,
  /** Done except for refused rows, or a check found something wrong (docs/cli.md). */
  someRowsRefused: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command did. */
export interface Outcome {
  /** Undefined: ok. */
  readonly exitCode?: ExitCode;
  /** The result for `--json`. */
  readonly report: object;
  /** The result for people, in lines. */
  readonly lines: readonly string[];
}

/** An expected failure. Its message is one line that says what to do. */
export class CommandFailed extends OperatorError {}

/** A wrong command, option or file format. */
export class WrongUse extends OperatorError {}
