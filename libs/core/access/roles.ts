/** The roles of users (decisions.md section 3); their order is the order in which answers list them. */
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

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
