import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows the fields of a team, wherever a team is shown or sent. */
export const TEAM = {
  id: { type: 'integer', description: 'Identifier of the team', example: 5 },
  name: { description: 'Name, unique in the organisation without regard to case', example: 'Web' },
  autoAddSshkey: { description: 'Whether SSH keys of members go on the systems of the team' },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
