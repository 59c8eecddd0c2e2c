import type { SecretsKeyring } from '../secrets/encryption';
import type { OutgoingMail } from './mail.types';

/** A mail as it waits in its job. */
export interface MailPayload extends Omit<OutgoingMail, 'secrets' | 'expiresAt'> {
  /** Made up for each mail: the secrets are bound to it, and the Message-ID carries it. */
  readonly mailId: string;
  /** The secrets as sealed JSON. */
  readonly sealed?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

/** Where a mail's secrets live: what their encryption is bound to. */
export const mailSecretContext = (mailId: string): string => `mail:${mailId}`;

/** The form in which a mail may be stored: its secrets encrypted. */
export function sealedPayload(keyring: SecretsKeyring, mailId: string, mail: OutgoingMail): MailPayload {
  const { template, to, language, values, secrets, expiresAt, chargedTo, opens, reference } = mail;
  return {
    mailId,
    template,
    to,
    language,
    values,
    ...(secrets !== undefined && {
      sealed: keyring.encrypt(JSON.stringify(secrets), mailSecretContext(mailId)),
    }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
    ...(chargedTo !== undefined && { chargedTo }),
    ...(opens !== undefined && { opens }),
    ...(reference !== undefined && { reference }),
  };
}

/** Values and secrets together, for the text of the mail. Throws `UnreadableSecret`. */
export function openedValues(keyring: SecretsKeyring, payload: MailPayload): Record<string, string> {
  const { values, sealed, mailId } = payload;
  if (sealed === undefined) return { ...values };
  const secrets = JSON.parse(keyring.decrypt(sealed, mailSecretContext(mailId))) as Record<string, string>;
  return { ...values, ...secrets };
}
