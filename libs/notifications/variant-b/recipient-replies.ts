import { ApiProperty } from '@nestjs/swagger';
import type { Recipient } from '../notification.values';

const STATUSES = ['queued', 'sent', 'failed', 'skipped'];
const TYPES = ['email', 'phone', 'slack'];

/** A contact that a notification went to, as it was then. */
export class NotifiedContactReply {
  @ApiProperty({ type: 'integer', description: 'Identifier of the contact', example: 8 })
  id!: number;

  @ApiProperty({ enum: TYPES })
  type!: string;

  @ApiProperty({ description: 'The address itself', example: 'jan@example.nl' })
  name!: string;

  @ApiProperty({ enum: STATUSES, description: 'skipped: there is no sender for this type' })
  status!: string;
}

/** A recipient that is no contact. */
export class ExtraRecipientReply {
  @ApiProperty({ type: 'integer', example: 77 })
  id!: number;

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtStamp!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'] })
  language!: string;

  @ApiProperty({ enum: STATUSES, description: 'skipped: there is no sender for this type' })
  status!: string;

  @ApiProperty({ enum: TYPES })
  type!: string;

  @ApiProperty({ description: 'The address itself', example: 'jan@example.nl' })
  value!: string;

  @ApiProperty({ description: 'Names the delivery; opens nothing', format: 'uuid' })
  hash!: string;
}

/** The contact's item, or nothing for a recipient that is no contact. */
export const notifiedContactReply = (recipient: Recipient): NotifiedContactReply[] =>
  recipient.contactId === null
    ? []
    : [{ id: recipient.contactId, type: recipient.type, name: recipient.value, status: recipient.status }];

/** The recipient's item, or nothing for a contact. */
export const extraRecipientReply = (recipient: Recipient): ExtraRecipientReply[] =>
  recipient.contactId !== null
    ? []
    : [
        {
          id: recipient.id,
          dtStamp: String(recipient.createdAt),
          fullName: recipient.fullName,
          language: recipient.language,
          status: recipient.status,
          type: recipient.type,
          value: recipient.value,
          hash: recipient.hash,
        },
      ];
