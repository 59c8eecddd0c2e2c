import type { FieldError } from '@app/platform/errors/api-error';
import { decide } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';
import {
  isForServiceKeys,
  type Operation,
  type Privilege,
  PRIVILEGES,
  wordsFor,
} from '@app/security/access/privileges';
import type { Power } from '@app/security/access/wider-powers';
import { type NewServiceKey, operationNotAllowed } from './service-key.types';

const OPERATIONS = Object.keys(PRIVILEGES) as Operation[];

/** What the key may: the operations of its words, those of groups one by one. */
export const powerOf = ({
  operations,
  beneath,
  whitelist,
}: Pick<NewServiceKey, 'operations' | 'beneath' | 'whitelist'>): Power => ({
  words: new Set(operations.flatMap(operationsOf)),
  beneath,
  whitelist,
});

/**
 * The operations that a word in a key's list stands for: one operation, or all of a group.
 * Empty for an unknown word.
 */
export const operationsOf = (word: string): readonly Operation[] =>
  OPERATIONS.filter((operation) => wordsFor(operation).includes(word));

/** The rights of a key: those of an admin, or those of a CUSTADMIN of its organisation. */
interface KeyPower {
  readonly organisationId: number;
  readonly beneath: boolean;
  readonly asAdmin: boolean;
}

/**
 * The errors for words that a key must not have. They depend on who makes or changes
 * the key (rule keys 30).
 */
export const faultsOfOperations = (maker: Caller, key: KeyPower, words: readonly string[]): FieldError[] =>
  words.flatMap((word) => {
    const refused = operationsOf(word).filter(
      (operation) =>
        !mayMakerDo(maker, key, PRIVILEGES[operation]) || !isForServiceKeys(PRIVILEGES[operation], key),
    );
    return refused.length === 0 ? [] : [operationNotAllowed(word, refused)];
  });

/** Whether a key with these words needs a whitelist (rule keys 32). */
export const needsWhitelist = (words: readonly string[]): boolean =>
  words.flatMap(operationsOf).some((operation) => PRIVILEGES[operation].serviceKeys === 'byName');

/** The shortest prefix of a range in a whitelist that is needed (rule keys 33). */
const LEAST_PREFIX = { ipv4: 8, ipv6: 16 } as const;

/** Whether a canonical entry of a whitelist that is needed holds too many addresses. */
export function isTooWide(entry: string): boolean {
  const [address = '', prefixLength] = entry.split('/');
  if (prefixLength === undefined) return false;
  return Number(prefixLength) < LEAST_PREFIX[address.includes(':') ? 'ipv6' : 'ipv4'];
}

/** Whoever makes a key for what people never do needs the role alone. */
function mayMakerDo(
  maker: Caller,
  { organisationId }: KeyPower,
  { serviceKeys: _, ...privilege }: Privilege,
): boolean {
  // Only managers make keys, so another organisation that they address is beneath their own.
  const own = maker.organisationId === organisationId;
  const relation = { own, beneath: !own, grant: null };
  return decide(privilege, maker, relation, undefined).verdict === 'allow';
}
