import { type CountryResponse, open, type Reader } from 'maxmind';
import { OperatorError } from '@app/config/operator-errors';

/** `GEOIP_DB` cannot be used. */
export class UnreadableCountryDatabase extends OperatorError {
  constructor(file: string, problem: string) {
    super(`GEOIP_DB ${JSON.stringify(file)} cannot be read as a MaxMind-format file: ${problem}`);
  }
}

/** Countries of IP addresses, from the file `GEOIP_DB`. */
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

  /** ISO 3166-1 alpha-2 code; empty without a database or for an unknown address. */
  countryOf(ip: string): string {
    const code = this.reader?.get(ip)?.country?.iso_code ?? '';
    return /^[A-Z]{2}$/.test(code) ? code : '';
  }
}
