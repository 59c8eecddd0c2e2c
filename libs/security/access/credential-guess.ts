/** Where to look for a credential, in this order: see `AccessStatements`. */
type Places = readonly ['login', 'key'] | readonly ['key', 'login'];

/** Two bytes of a digest select a slot. */
const SLOTS = 65_536;

/**
 * Guesses in which table a credential is, from where it was last time. A wrong guess costs a second statement
 * and changes no result: the database decides on every request.
 */
export class CredentialGuess {
  /** By slot: 1 if the last credential was a key. */
  private readonly isKey = new Uint8Array(SLOTS);

  placesOf(digest: Buffer): Places {
    return this.isKey[slotOf(digest)] === 1 ? ['key', 'login'] : ['login', 'key'];
  }

  learn(digest: Buffer, place: Places[number]): void {
    this.isKey[slotOf(digest)] = place === 'key' ? 1 : 0;
  }
}

const slotOf = (digest: Buffer): number => digest.readUInt16LE(0);
