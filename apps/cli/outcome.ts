/** Exit codes of the command line (docs/cli.md). */
export const EXIT = {
  ok: 0,
  /** It did not happen, or not all of it; the last line on standard error says what to do. */
  failed: 1,
  /** The command, an option or the form of a file is not as `--help` describes; nothing was changed. */
  wrongUse: 2,
  /** Done, but for rows that were refused one by one. */
  someRowsRefused: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command did. */
export interface Outcome {
  readonly exitCode: ExitCode;
  /** For `--json`. */
  readonly report: object;
  /** The same for people. */
  readonly lines: readonly string[];
}

/** Expected trouble: the message is one line that says what to do. */
export class CommandFailed extends Error {
  readonly explained = true;
}

/** The operator asked for something that the command line does not offer. */
export class WrongUse extends Error {
  readonly explained = true;
}
