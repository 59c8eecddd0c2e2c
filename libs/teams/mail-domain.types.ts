/** A domain that a mail group receives mail for, as the register of entities has it. */
export interface MailDomain {
  readonly id: number;
  /** Without the extension. */
  readonly name: string;
  readonly mailPrimary: boolean;
  /** Who keeps the register may leave the name out. */
  readonly domaintype: { readonly id: number; readonly name?: string; readonly extension: string };
}
