import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows the fields of an SSH key, wherever one is shown or sent. */
export const SSH_KEY = {
  id: { type: 'integer', description: 'Identifier of the key', example: 3 },
  description: { description: 'What the key is called, for people', example: 'Laptop of Jan' },
  content: {
    description:
      'The public key in the OpenSSH one-line format: type, base64, comment. Type and base64 are unique in the whole ' +
      'service; no DSA, RSA from 2048 bits',
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti jan@laptop',
  },
  status: { description: 'Status of the key, which is there', example: 'ok' },
  fingerprint: {
    description: 'MD5 of the key, colon-separated hexadecimal digits',
    example: '70:9f:bf:7d:c4:db:d3:a1:70:69:98:ff:30:c4:7a:6b',
  },
  organisation: { description: 'The organisation of the key, or of its user' },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
