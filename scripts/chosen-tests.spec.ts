import { chosenTests } from './chosen-tests.cjs';

describe('the tests that words choose', () => {
  it('are those of every word, each once', () => {
    const { tests, unknown } = chosenTests(['contacts.e2e', 'contacts/contacts', 'address-rules']);
    expect(unknown).toEqual([]);
    expect([...tests].sort()).toEqual([
      'libs/people/contacts/address-rules.spec.ts',
      'test/contacts/contacts.e2e-spec.ts',
    ]);
  });

  it('are none for a word that stands in no path, which is named', () => {
    expect(chosenTests(['contacts.e2e', 'no-such-test'])).toMatchObject({ unknown: ['no-such-test'] });
  });
});
