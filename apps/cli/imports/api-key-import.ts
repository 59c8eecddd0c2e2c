import type { EntityManager } from 'typeorm';
import { fault } from '@app/platform/errors/api-error';
import {
  absent,
  differences,
  type Finding,
  importFields,
  type ImportKind,
  listOfText,
  present,
  readRow,
  refused,
} from './import-kind';
import { EMAIL_MAX_LENGTH, validateName } from '@app/platform/dto/text-rules';
import { IdentifierField, IntegerField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import {
  amountOf,
  assertOneOwner,
  countsOf,
  findOwners,
  givenOwner,
  insertOwned,
  missingOwners,
  type OwnedRecord,
  ownerKey,
  ownerMissing,
  type OwnerReference,
} from './record-owners';
import { ApiKey } from '@app/sign-in/apikeys/api-key.entity';
import { API_KEY_CONSTRAINT_ERRORS, API_KEY_LIMITS } from '@app/sign-in/apikeys/api-key.types';
import { canonicalWhitelist, WhitelistField } from '@app/sign-in/keys/key.dto';

/** An API key of the previous panel, whose value only its user knows. */
interface ImportedApiKey {
  readonly owner: OwnerReference;
  readonly name: string;
  readonly digest: Buffer;
  readonly whitelist: string[];
  /** Unix seconds; undefined: as long as a new key. */
  readonly expires: number | undefined;
}

type NewApiKey = OwnedRecord<Pick<ApiKey, 'userId' | 'name' | 'digest' | 'whitelist' | 'expiresAt'>>;

const LIMITED = { table: 'api_keys', limits: API_KEY_LIMITS, errors: API_KEY_CONSTRAINT_ERRORS } as const;

const HEX_OF_32_BYTES = /^[0-9a-f]{64}$/i;

/** One row of the file. */
class ApiKeyImportRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
  @TextField({ max: 255, required: true, check: validateName }) name!: string;

  @TextField({
    max: 64,
    required: true,
    check: (text) =>
      HEX_OF_32_BYTES.test(text)
        ? undefined
        : fault('INVALID', 'This value should be the SHA-256 of the key, as 64 hex digits.'),
  })
  digest!: string;

  @WhitelistField() whitelist!: string[];
  @IntegerField({ min: 0 }) expires?: number;
}

const OWNERS = ['username', 'userId'] as const;

const rowShape = createShape(ApiKeyImportRow, (row): EveryField<ImportedApiKey> => {
  const { username, userId, name, digest, whitelist, expires } = row;
  assertOneOwner({ username, userId }, OWNERS);
  return {
    owner: { username, userId },
    name,
    digest: Buffer.from(digest, 'hex'),
    whitelist: canonicalWhitelist(whitelist),
    expires,
  };
});

const { required, ...fields } = importFields(rowShape, {
  identity: [...OWNERS, 'name'],
  secret: ['digest'],
});
const digestKey = (digest: Buffer): string => digest.toString('hex');

/** Digests of API keys, which live on as they are. @param ttl seconds that a key may live from now on (`API_KEY_TTL`) */
export const apiKeyImport = (ttl: number): ImportKind<ImportedApiKey, NewApiKey> => ({
  name: 'apikeys',
  table: 'api_keys',
  // Over the interface a list must be sent; a file without the column means any address.
  fields: { ...fields, required: required.filter(([name]) => name !== 'whitelist') },
  read: ({ whitelist, ...values }, strict) =>
    readRow(rowShape, { ...values, whitelist: listOfText(whitelist ?? '') }, strict, [
      () => assertOneOwner(givenOwner(values), OWNERS),
    ]),
  missing: (manager, rows) => missingOwners(manager, rows, OWNERS),
  uniqueIn: ({ digest }) => [['digest', digestKey(digest)]],
  find: (manager, rows) => find(manager, rows, ttl),
  insert: (manager, keys) => insertOwned(manager, ApiKey, keys),
  whenDifferent: 'refuse',
});

interface StoredKey extends Pick<ApiKey, 'userId' | 'name' | 'digest' | 'whitelist'> {
  /** Unix seconds. */
  readonly expires: number;
}

async function find(
  manager: EntityManager,
  rows: readonly ImportedApiKey[],
  ttl: number,
): Promise<Finding<NewApiKey>[]> {
  const owners = await findOwners(manager, rows);
  const stored = await manager.query<StoredKey[]>(
    `SELECT user_id AS "userId", name, digest, whitelist, floor(extract(epoch FROM expires_at))::float8 AS expires
     FROM api_keys WHERE digest = ANY ($1)`,
    [rows.map(({ digest }) => digest)],
  );
  const storedByDigest = new Map(stored.map((key) => [digestKey(key.digest), key]));
  const counts = await countsOf(manager, LIMITED, owners);
  const latest = (await databaseNow(manager)) + ttl;
  return rows.map((row, position) => {
    const owner = owners[position];
    if (typeof owner?.userId !== 'number') return ownerMissing(row.owner);
    const { name, digest, whitelist, expires = latest } = row;
    const key = storedByDigest.get(digestKey(digest));
    if (key !== undefined && key.userId !== owner.userId) {
      return refused('digest', 'This key is already in use.');
    }
    if (key !== undefined) {
      const wanted = { name, whitelist, ...(row.expires !== undefined && { expires }) };
      return present(differences(wanted, { ...wanted, ...key }));
    }
    if (expires > latest) {
      return refused('expires', `A key lives at most ${ttl} seconds from now on (API_KEY_TTL).`);
    }
    const columns = { userId: owner.userId, name, digest, whitelist, expiresAt: new Date(expires * 1000) };
    return absent({ owner, columns }, amountOf(LIMITED, owner, counts.get(ownerKey(owner))));
  });
}

/** Unix seconds of the clock that expiry is judged by. */
async function databaseNow(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ now: number }[]>(
    'SELECT floor(extract(epoch FROM now()))::float8 AS now',
  );
  return row?.now ?? 0;
}
