import { createHmac } from 'node:crypto';

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
 * Codes of one secret that the service has not seen yet: it takes each once, and one step of drift either way, so
 * that two follow each other at once and the third waits.
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
