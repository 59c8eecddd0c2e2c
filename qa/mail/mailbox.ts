import PostalMime from 'postal-mime';

/** A place where the mails of a deployment can be read. */
export interface Mailbox {
  /** For messages. */
  readonly place: string;
  /** The texts of the mails to an address, newest last. */
  textsTo(address: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A mail as far as examples need it. */
export interface ReadMail {
  readonly to: readonly string[];
  readonly text: string;
}

/** Reads a mail in any form that a mail server on its way may have given it. */
export async function readMail(content: Buffer | string): Promise<ReadMail> {
  const { to = [], text, html } = await PostalMime.parse(content);
  const addresses = to.flatMap(({ address, group = [] }) => [address, ...group.map((one) => one.address)]);
  return {
    to: addresses.filter((address) => address !== undefined).map((address) => address.toLowerCase()),
    text: text ?? html ?? '',
  };
}

export const isTo =
  (address: string) =>
  ({ to }: ReadMail): boolean =>
    to.includes(address.toLowerCase());
