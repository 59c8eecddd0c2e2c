import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField } from '@app/platform/dto/shapes';
import type { RecipientStatus } from './notification.types';
import type { Recipient } from './notification-details.types';

/** The number of each status (rule notifications 19). */
const STATUS_NUMBERS: Readonly<Record<RecipientStatus, number>> = {
  queued: 0,
  sent: 1,
  failed: 2,
  skipped: 4,
};

const STATUSES = Object.values(STATUS_NUMBERS);
const STATUS_DESCRIPTION =
  '0 queued, 1 sent, 2 failed, 4 skipped (there is no sender for this type, or the address got its mails of this hour)';

const RECIPIENT = {
  id: { type: 'integer', description: 'Identifier of the recipient', example: 76 },
  dtStamp: { description: 'When it was written down, Unix seconds as text', example: '1767225600' },
  fullName: { description: 'Name of the person, or of the organisation', example: 'Jan de Vries' },
  language: { enum: ['nl', 'en', 'fr'], description: 'Language of the message' },
  status: { type: 'integer', enum: STATUSES, description: STATUS_DESCRIPTION },
  type: { enum: ['email', 'phone', 'slack'], description: 'The kind of address' },
  value: { description: 'The address itself', example: 'jan@example.nl' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** A contact that a notification went to, as it was at that time. */
export class NotifiedContactResponse {
  @ResponseField(RECIPIENT.id) id!: number;
  @ResponseField(RECIPIENT.dtStamp) dtStamp!: string;
  @ResponseField(RECIPIENT.fullName) fullName!: string;
  @ResponseField(RECIPIENT.language) language!: string;
  @ResponseField({ description: 'Why the delivery failed or a bound skipped it, else empty', example: '' })
  message!: string;
  @ResponseField(RECIPIENT.status) status!: number;
  @ResponseField(RECIPIENT.type) type!: string;
  @ResponseField(RECIPIENT.value) value!: string;
  @ResponseField({ type: 'integer', description: 'Identifier of the contact', example: 8 })
  contactId!: number;
}

/** A recipient without a contact, such as the invited person. */
export class ExtraRecipientResponse {
  @ResponseField(RECIPIENT.id) id!: number;
  @ResponseField(RECIPIENT.dtStamp) dtStamp!: string;
  @ResponseField(RECIPIENT.fullName) fullName!: string;
  @ResponseField(RECIPIENT.language) language!: string;
  @ResponseField(RECIPIENT.status) status!: number;
  @ResponseField(RECIPIENT.type) type!: string;
  @ResponseField(RECIPIENT.value) value!: string;
  @ResponseField({ description: 'Always empty', example: '' }) hash!: string;
}

/** The item of a contact; empty for a recipient without a contact. */
export const toNotifiedContactResponse = (recipient: Recipient): NotifiedContactResponse[] =>
  recipient.contactId === null
    ? []
    : [
        {
          id: recipient.id,
          dtStamp: String(recipient.createdAt),
          fullName: recipient.fullName,
          language: recipient.language,
          message: recipient.message,
          status: STATUS_NUMBERS[recipient.status],
          type: recipient.type,
          value: recipient.value,
          contactId: recipient.contactId,
        },
      ];

/** The item of a recipient without a contact; empty for a contact. */
export const toExtraRecipientResponse = (recipient: Recipient): ExtraRecipientResponse[] =>
  recipient.contactId !== null
    ? []
    : [
        {
          id: recipient.id,
          dtStamp: String(recipient.createdAt),
          fullName: recipient.fullName,
          language: recipient.language,
          status: STATUS_NUMBERS[recipient.status],
          type: recipient.type,
          value: recipient.value,
          hash: '',
        },
      ];
