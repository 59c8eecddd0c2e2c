import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows the fields of an invitation, wherever one is shown or sent. */
export const INVITATION = {
  id: { type: 'integer', description: 'Identifier of the invitation', example: 56 },
  email: {
    description: 'The invited address, which becomes the user name; one open invitation in an organisation',
    example: 'jan@example.nl',
  },
  language: { enum: ['nl', 'en', 'fr'], description: 'Language of the mail, and then of the user' },
  organisation: { description: 'The organisation that the person is invited to' },
  status: { description: 'Open, used to register, or expired, in this order' },
  statusCategory: {
    enum: ['green', 'grey'],
    description: 'The colour of the status: green while it is open',
  },
  autoTeams: {
    description:
      'Comma-separated identifiers of teams of the organisation that the new user joins; empty for none',
    example: '5,8',
  },
  organisationId: { description: 'Identifier of the organisation of the invitation', example: 12 },
  inviationId: {
    description: 'Identifier of the invitation; needed in this or the other spelling',
    example: 56,
  },
  invitationId: { description: 'The other spelling of inviationId', example: 56 },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
