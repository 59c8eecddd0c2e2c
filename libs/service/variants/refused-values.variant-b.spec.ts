import 'reflect-metadata';
import { AclsShapes } from '@app/people/acls/variant-b/acls.shapes';
import { UserWithContactShapes } from '@app/people/invitations/variant-b/user-with-contact.shapes';
import { MigratedUsersShapes } from '@app/people/users/variant-b/migrated-users.shapes';
import { longerThan, MISSING, refuses, WRONG_PEOPLE } from '../../../test/support/faults/wrong-values';

const names = { firstName: 'Anna', lastName: 'Smit' };
const hash = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';
const { create, update } = new MigratedUsersShapes();
const migrated = { ...names, username: 'migrated1', cp3Password: hash };
const wrongMigrated = {
  username: ['with space', ...MISSING],
  websiteOrderInfo: [longerThan(4000), 'a\0b'],
  cp3Password: [
    ...MISSING,
    'Passw0rd-1',
    '$7$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.',
    '$1$Zp3kWq81$short',
    `${hash}\n`,
    '$2x$04$abcdefghijklmnopqrstuu9GJiPsYrQdlHs8N4ultK1m2w1lisxxi',
    '$2b$31$abcdefghijklmnopqrstuu9GJiPsYrQdlHs8N4ultK1m2w1lisxxi',
  ],
};
refuses('a user of the previous panel', create, migrated, {
  ...wrongMigrated,
  firstName: [...MISSING, ...WRONG_PEOPLE],
  lastName: [...MISSING, ...WRONG_PEOPLE],
});
refuses('a changed user of the previous panel', update, migrated, {
  ...wrongMigrated,
  firstName: MISSING,
  lastName: MISSING,
});

refuses(
  'a user with a contact',
  new UserWithContactShapes().create,
  { ...names, username: 'login1', password: 'Passw0rd-1' },
  {
    username: ['a b', ...MISSING],
    firstName: [...MISSING, ...WRONG_PEOPLE],
    lastName: [...MISSING, ...WRONG_PEOPLE],
    password: ['Passw0rd', 'passw0rd-1', undefined],
    language: ['de'],
  },
);

refuses(
  'a grant',
  new AclsShapes().create,
  { organisation: 1 },
  { organisation: [...MISSING, 0, -1, 2 ** 31, 'x', 1.5, [], {}] },
);
