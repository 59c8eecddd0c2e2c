import { IntegerField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { NAME_RULES, type TextRule } from '@app/platform/dto/text-rules';
import { fieldError } from '@app/platform/errors/api-error';
import { ApiKey } from '@app/sign-in/apikeys/api-key.entity';
import { API_KEY_CONSTRAINT_ERRORS, API_KEY_LIMITS } from '@app/sign-in/apikeys/api-key.types';
import { canonicalWhitelist, WhitelistField } from '@app/sign-in/keys/key.dto';
import { listOfText } from './import-kind';
import { ownedImport, ownerOf, UserOwnedRow, USERS } from './owned-import';
import type { OwnerReference } from './record-owners';

/** An API key of the previous panel. Only its user knows its value. */
interface ImportedApiKey extends Pick<ApiKey, 'name' | 'digest' | 'whitelist'> {
  readonly owner: OwnerReference;
  /** Undefined: the lifetime of a new key. */
  readonly expiresAt: Date | undefined;
}

const IS_DIGEST: TextRule = {
  name: 'isDigest',
  holds: (text) => /^[0-9a-f]{64}$/i.test(text),
  error: fieldError('INVALID', 'This value should be the SHA-256 of the key, as 64 hex digits.'),
};

/** One row of the file. */
class ApiKeyImportRow extends UserOwnedRow {
  @TextField({ max: 255, required: true, rules: NAME_RULES }) name!: string;

  @TextField({
    max: 64,
    required: true,
    rules: [IS_DIGEST],
  })
  digest!: string;

  @WhitelistField() whitelist!: string[];
  @IntegerField({ min: 0 }) expires?: number;
}

const shape = createShape(ApiKeyImportRow, (row): EveryField<ImportedApiKey> => {
  const { name, digest, whitelist, expires } = row;
  return {
    owner: ownerOf(row, USERS),
    name,
    digest: Buffer.from(digest, 'hex'),
    whitelist: canonicalWhitelist(whitelist),
    expiresAt: expires === undefined ? undefined : new Date(expires * 1000),
  };
});

/**
 * Digests of API keys, which stay valid. @param ttl seconds that a key may live from now on (`API_KEY_TTL`)
 */
export const apiKeyImport = (ttl: number) =>
  ownedImport({
    entity: ApiKey,
    limited: { table: 'api_keys', limits: API_KEY_LIMITS, errors: API_KEY_CONSTRAINT_ERRORS },
    shape,
    // The API requires the list; in a file, a missing column means any address.
    fields: { identity: ['name'], secret: ['digest'], optional: ['whitelist'] },
    prepare: ({ whitelist, ...values }) => ({ ...values, whitelist: listOfText(whitelist ?? '') }),
    key: { properties: ['digest'], field: 'digest', taken: 'This key is already in use.' },
    compared: { name: 'name', whitelist: 'whitelist', expires: 'expiresAt' },
    ownerColumns: ['userId'],
    matching: (rows) => ['digest = ANY ($1)', rows.map(({ digest }) => digest)],
    columnsOf: ({ name, digest, whitelist, expiresAt }, owner, now) => {
      const latest = new Date((now + ttl) * 1000);
      if (expiresAt !== undefined && expiresAt > latest)
        return ['expires', `A key lives at most ${ttl} seconds from now on (API_KEY_TTL).`] as const;
      return { userId: owner.userId as number, name, digest, whitelist, expiresAt: expiresAt ?? latest };
    },
  });
