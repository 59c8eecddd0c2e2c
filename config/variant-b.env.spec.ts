import { readSettings } from './env';
import { SettingError } from './operator-errors';

const endOf = (env: Record<string, string>) => readSettings(env).variantBEnd;

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingError) return error.faults;
    throw error;
  }
  return [];
};

it('knows no end of Variant B without settings', () => {
  expect(endOf({})).toEqual({ deprecated: undefined, sunset: undefined });
});

it('takes a date as its midnight in UTC', () => {
  const { deprecated, sunset } = endOf({
    VARIANT_B_DEPRECATED: '2027-03-01',
    VARIANT_B_SUNSET: '2027-06-30',
  });
  expect([deprecated?.toISOString(), sunset?.toISOString()]).toEqual([
    '2027-03-01T00:00:00.000Z',
    '2027-06-30T00:00:00.000Z',
  ]);
});

it.each([
  ['VARIANT_B_DEPRECATED', '2027-02-30'],
  ['VARIANT_B_DEPRECATED', '2027-3-1'],
  ['VARIANT_B_DEPRECATED', '2027-03-01T00:00Z'],
  ['VARIANT_B_DEPRECATED', 'tomorrow'],
  ['VARIANT_B_SUNSET', '2027-13-01'],
  ['VARIANT_B_SUNSET', '1 March 2027'],
])('refuses %s=%s', (name, text) => {
  expect(faultsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
});

it('refuses a sunset before the deprecation, and takes both on one day', () => {
  const both = (deprecated: string, sunset: string) => ({
    VARIANT_B_DEPRECATED: deprecated,
    VARIANT_B_SUNSET: sunset,
  });
  expect(faultsOf(both('2027-06-30', '2027-06-29'))).toEqual([
    'VARIANT_B_SUNSET must not be before VARIANT_B_DEPRECATED',
  ]);
  expect(faultsOf(both('2027-06-30', '2027-06-30'))).toEqual([]);
});

it('names every fault at once', () => {
  const faults = faultsOf({ VARIANT_B_DEPRECATED: 'x', VARIANT_B_SUNSET: 'y' });
  expect(faults.map((line) => line.split(' ')[0])).toEqual(['VARIANT_B_DEPRECATED', 'VARIANT_B_SUNSET']);
});
