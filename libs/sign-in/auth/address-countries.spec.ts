import { writeFileSync } from 'node:fs';
import { useCountryDatabase } from '../../../test/support/factories/country-database';
import { AddressCountries, UnreadableCountryDatabase } from './address-countries';

const database = useCountryDatabase('NL');

describe('countries of addresses', () => {
  it('are empty without a file', async () => {
    expect((await AddressCountries.open(undefined)).countryOf('127.0.0.1')).toBe('');
  });

  it('come from the file', async () => {
    const countries = await AddressCountries.open(database);
    expect(countries.countryOf('127.9.9.9')).toBe('NL');
    expect(countries.countryOf('192.0.2.1')).toBe('');
    expect(countries.countryOf('2001:db8::1')).toBe('');
  });

  it('refuse a file that is missing or something else, in one line that names the setting', async () => {
    const other = `${database}.txt`;
    writeFileSync(other, 'not a database');
    for (const file of ['/nowhere/countries.mmdb', other]) {
      const failure = await AddressCountries.open(file).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UnreadableCountryDatabase);
      expect((failure as Error).message).toMatch(/^GEOIP_DB [^\n]+$/);
    }
  });
});
