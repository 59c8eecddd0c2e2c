import { createHash, createHmac, generateKeyPairSync, randomInt } from 'node:crypto';
import type { Json } from './scenario';

const STEP_SECONDS = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of RFC 6238 (SHA-1, 6 digits) for a step of 30 seconds. */
function codeOfStep(secret: string, step: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) as number) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/**
 * Codes of one secret that the service has not seen yet: it takes each once, and one step of drift either
 * way, so that two follow each other at once and the third waits.
 */
export class OneTimeCodes {
  private lastStep = 0;

  constructor(private readonly secret: string) {}

  async next(): Promise<string> {
    const now = () => Math.floor(Date.now() / 1000 / STEP_SECONDS);
    const step = Math.max(this.lastStep + 1, now());
    while (step > now() + 1) await new Promise((resolve) => setTimeout(resolve, 500));
    this.lastStep = step;
    return codeOfStep(this.secret, step);
  }
}

export interface PublicKey {
  /** The OpenSSH one-line format, without a comment. */
  readonly content: string;
  /** MD5 over the blob, colon-separated hex. */
  readonly fingerprint: string;
}

/** A fresh Ed25519 key, put together after RFC 8709 section 4. */
export function newPublicKey(): PublicKey {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([text(Buffer.from('ssh-ed25519')), text(Buffer.from(x as string, 'base64url'))]);
  const hex = createHash('md5').update(blob).digest('hex');
  return {
    content: `ssh-ed25519 ${blob.toString('base64')}`,
    fingerprint: (hex.match(/../g) ?? []).join(':'),
  };
}

function text(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** An entity as the register takes it. */
interface RegisteredEntity {
  readonly kind: keyof typeof ENTITY_PATHS;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly domains?: readonly {
    readonly id: number;
    readonly name: string;
    readonly mailPrimary: boolean;
    readonly domaintype: { readonly id: number; readonly name: string; readonly extension: string };
  }[];
}

/** Where admins put each kind into the register, below `/entities`. */
export const ENTITY_PATHS = {
  app: 'apps',
  domain: 'domains',
  mailgroup: 'mailgroups',
  system: 'systems',
} as const;

/**
 * Far above what other areas have counted to: an id that is in the register already
 * would be moved to the run.
 */
const [LEAST_ID, END_OF_IDS] = [2 ** 30, 2 ** 31 - 1] as const;

const newId = (): number => randomInt(LEAST_ID, END_OF_IDS);

/** One entity of each kind. */
export function newEntities(): {
  readonly ids: Readonly<Record<string, Json>>;
  of(organisationId: number): readonly RegisteredEntity[];
} {
  const ids = { appId: newId(), domainId: newId(), mailgroupId: newId(), systemId: newId() };
  const domaintype = { id: 1, name: 'Netherlands', extension: 'nl' };
  const domains = [{ id: ids.domainId, name: 'example', mailPrimary: true, domaintype }];
  return {
    ids,
    of: (organisationId) => [
      { kind: 'app', id: ids.appId, name: 'shop', organisationId },
      { kind: 'domain', id: ids.domainId, name: 'example.nl', organisationId },
      { kind: 'mailgroup', id: ids.mailgroupId, name: 'post', organisationId, domains },
      { kind: 'system', id: ids.systemId, name: 'web1', organisationId },
    ],
  };
}
