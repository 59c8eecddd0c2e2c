import { ApiProperty } from '@nestjs/swagger';
import type { RecipientStatus } from '../notification.types';
import type { Recipient } from './notification-details.types';

/** The number of each status (decisions.md section 11). */
const STATUS_NUMBERS: Readonly<Record<RecipientStatus, number>> = {
  queued: 0,
  sent: 1,
  failed: 2,
  skipped: 4,
};

const STATUSES = Object.values(STATUS_NUMBERS);
const STATUS_DESCRIPTION = '0 queued, 1 sent, 2 failed, 4 skipped (there is no sender for this type)';
const TYPES = ['email', 'phone', 'slack'];

/** A contact that a notification went to, as it was then. */
export class NotifiedContactResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the recipient', example: 76 })
  id!: number;

  @ApiProperty({ description: 'When it was written down, Unix seconds as text', example: '1767225600' })
  dtStamp!: string;

  @ApiProperty({ description: 'Name of the person, or of the organisation', example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'], description: 'Language of the message' })
  language!: string;

  @ApiProperty({ description: 'Why the delivery failed, else empty', example: '' })
  message!: string;

  @ApiProperty({ type: 'integer', enum: STATUSES, description: STATUS_DESCRIPTION })
  status!: number;

  @ApiProperty({ enum: TYPES, description: 'The kind of address' })
  type!: string;

  @ApiProperty({ description: 'The address itself', example: 'jan@example.nl' })
  value!: string;

  @ApiProperty({ type: 'integer', description: 'Identifier of the contact', example: 8 })
  contactId!: number;
}

/** A recipient that is no contact: the invited person, the user's own name. */
export class ExtraRecipientResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the recipient', example: 76 })
  id!: number;

  @ApiProperty({ description: 'When it was written down, Unix seconds as text', example: '1767225600' })
  dtStamp!: string;

  @ApiProperty({ description: 'Name of the person, or of the organisation', example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'], description: 'Language of the message' })
  language!: string;

  @ApiProperty({ type: 'integer', enum: STATUSES, description: STATUS_DESCRIPTION })
  status!: number;

  @ApiProperty({ enum: TYPES, description: 'The kind of address' })
  type!: string;

  @ApiProperty({ description: 'The address itself', example: 'jan@example.nl' })
  value!: string;

  @ApiProperty({ description: 'Always empty', example: '' })
  hash!: string;
}

/** The contact's item, or nothing for a recipient that is no contact. */
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

/** The recipient's item, or nothing for a contact. */
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
