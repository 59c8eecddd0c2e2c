import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows the fields of a contact, wherever one is shown or sent. */
export const CONTACT = {
  id: { type: 'integer', description: 'Identifier of the contact', example: 56 },
  type: {
    description:
      'The kind of address, never changed after creation. Mail alone is delivered without further set-up',
  },
  name: {
    description:
      'The address itself: an e-mail address, a phone number in international form, or a Slack channel. Unique among ' +
      'the contacts of that type of a user, or of the organisation for its own',
    example: 'jan@example.nl',
  },
  preferences: { description: 'All seven groups of notifications, enabled or not' },
  group: { description: 'A group of notifications', example: 'System' },
  value: { description: 'Whether notifications of this group go to the contact' },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
