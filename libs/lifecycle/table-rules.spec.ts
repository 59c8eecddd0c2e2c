import { type CredentialRules, organisationCredentials, userCredentials } from './table-rules';

it('compiles no table of credentials that says nothing about a restore', () => {
  const rules = { part: 'keys', about: 'Keys.', exported: 'id' };
  // @ts-expect-error afterRestore is missing
  const bare: CredentialRules = { table: 'keys' };
  // @ts-expect-error afterRestore is missing
  const ofUsers = userCredentials('keys', rules);
  // @ts-expect-error afterRestore is missing
  const ofOrganisations = organisationCredentials('keys', 'it outlives whoever made it', {});
  const whole = userCredentials('keys', { ...rules, afterRestore: { ends: 'keys', by: 'deletion' } });
  expect([bare, ofUsers, ofOrganisations, whole].map(({ afterRestore }) => afterRestore)).toEqual([
    undefined,
    undefined,
    undefined,
    { ends: 'keys', by: 'deletion' },
  ]);
});
