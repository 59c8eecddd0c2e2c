import { open, type CountryResponse, type Reader } from 'maxmind';

/** `GEOIP_DB` can not be used; the message is the one line that the operator sees. */
export class UnreadableCountryDatabase extends Error {
  /** Start-up shows the message without a stack. */
  readonly explained = true;

  constructor(file: string, problem: string) {
    super(`GEOIP_DB ${JSON.stringify(file)} can not be read as a MaxMind-format file: ${problem}`);
  }
}

/** Countries of addresses, from the file that `GEOIP_DB` names. */
export class AddressCountries {
  private constructor(private readonly reader: Reader<CountryResponse> | undefined) {}

  /** @throws UnreadableCountryDatabase for a file that is missing or has another format */
  static async open(file: string | undefined): Promise<AddressCountries> {
    if (file === undefined) return new AddressCountries(undefined);
    try {
      return new AddressCountries(await open<CountryResponse>(file));
    } catch (error) {
      throw new UnreadableCountryDatabase(file, (error as Error).message);
    }
  }

  /** ISO 3166-1 alpha-2 code, empty for an address that the file does not know and without a file. */
  countryOf(address: string): string {
    const code = this.reader?.get(address)?.country?.iso_code ?? '';
    return /^[A-Z]{2}$/.test(code) ? code : '';
  }
}
