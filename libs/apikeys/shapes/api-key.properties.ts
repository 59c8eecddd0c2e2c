import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows the fields of an API key, wherever one is shown or sent. */
export const API_KEY = {
  id: { type: 'integer', description: 'Identifier of the API key', example: 8 },
  name: { description: 'What the key is called, for people', example: 'Deployment' },
  whitelist: {
    description:
      'IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, in canonical form; empty: any',
    example: ['192.0.2.10', '2001:db8::/32'],
  },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
