import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Variables } from './matchers';
import type { Json } from './scenario';

/** The part of `PublicKeyCredentialCreationOptionsJSON` that an authenticator needs. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** The same of `PublicKeyCredentialRequestOptionsJSON`. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** What an authenticator, or somebody on the way, does otherwise. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly backedUp?: boolean;
  /** Flag BE, which is as it was at the registration. */
  readonly backupEligible?: boolean;
  /** Of a page that another one frames. */
  readonly crossOrigin?: boolean | string;
  readonly topOrigin?: string;
  readonly counter?: number;
  readonly residentKey?: boolean;
  /** The point of the public key is off its curve. */
  readonly offCurve?: boolean;
  readonly userHandle?: string;
  /** Another key signs. */
  readonly privateKey?: KeyObject;
  readonly attestation?: { readonly format: string; readonly statement: ReadonlyMap<string, Cbor> };
}

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** A response as `PublicKeyCredential.toJSON()` gives it. */
export type CredentialJson = Readonly<Record<'id' | 'rawId' | 'type', string>> & {
  readonly response: Readonly<Record<string, string>>;
  readonly clientExtensionResults: Readonly<Record<string, Json>>;
};

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const CAN_BE_BACKED_UP = 8;
const BACKED_UP = 16;
const HAS_CREDENTIAL = 64;

/** An authenticator in software, with one passkey (ES256, no attestation). It counts its uses. */
export class Authenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  /** @param origin that of the page which asks */
  constructor(readonly origin: string) {}

  /** `navigator.credentials.create`. */
  create({ challenge, rp, user }: CreationOptions, deviations: Deviations = {}): CredentialJson {
    this.userHandle = user.id;
    const { format, statement } = deviations.attestation ?? { format: 'none', statement: new Map() };
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.coseKey(deviations)]);
    const data = authenticatorData(rp.id, this.counter, deviations, credential);
    const attestation = new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', data],
    ]);
    return this.respond(
      {
        clientDataJSON: text(this.clientData('webauthn.create', challenge, deviations)),
        attestationObject: text(cbor(attestation)),
      },
      { credProps: { rk: deviations.residentKey ?? true } },
    );
  }

  /** `navigator.credentials.get`. */
  get({ challenge, rpId }: RequestOptions, deviations: Deviations = {}): CredentialJson {
    this.counter = deviations.counter ?? this.counter + 1;
    const data = authenticatorData(rpId, this.counter, deviations);
    const clientData = this.clientData('webauthn.get', challenge, deviations);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return this.respond({
      clientDataJSON: text(clientData),
      authenticatorData: text(data),
      signature: text(sign('sha256', signed, deviations.privateKey ?? this.keys.privateKey)),
      userHandle: deviations.userHandle ?? this.userHandle,
    });
  }

  private clientData(type: string, challenge: string, deviations: Deviations): Buffer {
    const { origin = this.origin, crossOrigin = false, topOrigin } = deviations;
    const data = {
      type: deviations.type ?? type,
      challenge: deviations.challenge ?? challenge,
      origin,
      crossOrigin,
      topOrigin,
    };
    return Buffer.from(JSON.stringify(data));
  }

  private respond(
    response: Readonly<Record<string, string>>,
    clientExtensionResults: CredentialJson['clientExtensionResults'] = {},
  ): CredentialJson {
    const id = text(this.credentialId);
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults };
  }

  /** RFC 9053: key type EC2, ES256, P-256, x, y. */
  private coseKey({ offCurve = false }: Deviations): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, offCurve ? Buffer.alloc(32, 1) : Buffer.from(y, 'base64url')],
      ]),
    );
  }
}

function authenticatorData(
  rpId: string,
  counter: number,
  deviations: Deviations,
  credential = Buffer.alloc(0),
): Buffer {
  const { userPresent = true, userVerified = true, backedUp = true, backupEligible = true } = deviations;
  const flags =
    (userPresent ? USER_PRESENT : 0) +
    (userVerified ? USER_VERIFIED : 0) +
    (backupEligible ? CAN_BE_BACKED_UP : 0) +
    (backedUp ? BACKED_UP : 0) +
    (credential.length > 0 ? HAS_CREDENTIAL : 0);
  const fixed = Buffer.alloc(5);
  fixed.writeUInt8(flags);
  fixed.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(Buffer.from(deviations.rpId ?? rpId)), fixed, credential]);
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

/** RFC 8949, as much as authenticators need: integers, bytes, texts, lists and maps, each below 64 kB. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<number | string, Cbor>)];
    return Buffer.concat([head(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

/** Major type and argument. */
function head(major: number, argument: number): Buffer {
  const first = major * 32;
  if (argument < 24) return Buffer.from([first + argument]);
  if (argument < 256) return Buffer.from([first + 24, argument]);
  return Buffer.from([first + 25, argument >> 8, argument % 256]);
}

/** Sets what an authenticator responds to the `challenge` that a scenario found last. */
export function prepareAuthenticator(variables: Variables, origin: string): void {
  const authenticator = new Authenticator(origin);
  const found = (name: string): string => variables.get(name) as string;
  const asked = () => ({ challenge: found('challenge'), rpId: found('rpId') });
  variables.set('assertion', () => Promise.resolve(authenticator.get(asked())));
  variables.set('attestation', () => {
    const { challenge, rpId } = asked();
    const options = { challenge, rp: { id: rpId }, user: { id: found('userHandle') } };
    return Promise.resolve(authenticator.create(options));
  });
}
