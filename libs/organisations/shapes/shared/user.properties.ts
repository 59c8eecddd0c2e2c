import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ROLES } from '@app/core/access/roles';

/** How the interface description shows the fields of a user, wherever a user is shown or sent. */
export const USER = {
  id: { type: 'integer', description: 'Identifier of the user', example: 34 },
  username: {
    description:
      'What the user logs in with: an e-mail address, or a login name. Unique in the service, without regard to case',
    example: 'jan@example.nl',
  },
  email: {
    description: 'The user name where it is an e-mail address, else empty',
    example: 'jan@example.nl',
  },
  firstName: { description: 'First name', example: 'Jan' },
  lastName: { description: 'Last name, with its prefixes', example: 'de Vries' },
  fullname: { description: 'First and last name', example: 'Jan de Vries' },
  roles: {
    enum: [...ROLES],
    isArray: true,
    description:
      'What the user may do, often nothing but read. ROLE_ADMIN: everything, held in the operator organisation alone; ' +
      'ROLE_CUSTADMIN: manages the own organisation and those beneath it; the others are for other areas of the panel',
    example: ['ROLE_CUSTADMIN'],
  },
  status: { enum: ['ok', 'deactivated'], description: 'Whether the user is enabled or disabled' },
  statusCategory: { enum: ['green', 'grey'], description: 'The colour of the status' },
  status2fa: {
    enum: ['disabled', 'requested', 'enabled'],
    description: 'Two-factor login: off, to be set up by the user, or on',
  },
  language: { enum: ['nl', 'en', 'fr'], description: 'Language of the mails that the user gets' },
  organisation: { description: 'The organisation that the user belongs to' },
  country: { nullable: true, description: 'Country of the organisation; null where it has none' },
  teams: { description: 'The teams that the user is a member of' },
  rolesAsText: {
    description:
      `Comma-separated roles, of ${ROLES.join(', ')}; empty for none. ROLE_ADMIN is given by admins alone, and only in ` +
      'the operator organisation; with an API key neither it nor ROLE_CUSTADMIN can be given',
    example: 'ROLE_CUSTADMIN',
  },
  websiteOrderInfo: {
    description: 'Free text from the order at the website: kept, and shown in no response',
  },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
