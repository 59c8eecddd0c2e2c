/** The roles of users (rule rights 3), in the order of responses. */
export const ROLES = [
  'ROLE_ADMIN',
  'ROLE_CUSTADMIN',
  'ROLE_FINANCE',
  'ROLE_SYSTEM',
  'ROLE_DOMAIN',
  'ROLE_MAIL',
  'ROLE_APP',
] as const;

export type Role = (typeof ROLES)[number];
