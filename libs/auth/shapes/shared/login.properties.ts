import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows what a login sends and gets. */
export const LOGIN = {
  success: { description: 'Always true: a refusal has another status', example: true },
  user: { description: 'The user who logged in' },
  hash: {
    description: 'The credential: 64 hexadecimal digits for the Authorization header of every other call',
  },
  hash2fa: {
    description:
      'Token of the device that is trusted now: send it as 2faToken at the next login. Empty without one',
  },
  username: { description: 'E-mail address or login name; white space around it is cut' },
  password: { description: 'The password of the user' },
  code: {
    description:
      'Code of the authenticator, six digits; needed where two-factor login is on. Empty counts as absent',
    example: '123456',
  },
  trustThisDevice: {
    description: 'With a right code: asks this user for no code from this device for 30 days',
  },
  deviceToken: {
    description: 'hash2fa of an earlier login of the same user: no code is asked for. Empty counts as absent',
  },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
