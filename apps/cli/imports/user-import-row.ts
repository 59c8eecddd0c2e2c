import { IsArray, IsString } from 'class-validator';
import { EMAIL_MAX_LENGTH } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { rolesOf, validateRoles } from '@app/people/users/given-roles';
import { IS_USERNAME, PersonNameField } from '@app/people/users/shapes/user.decorators';
import { readTotpSecret } from '@app/people/users/totp';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import type { NewUser } from '@app/people/users/user-rows';
import {
  BooleanField,
  field,
  IdentifierField,
  IntegerField,
  TextField,
  WordField,
} from '@app/platform/dto/field.decorators';
import { refusing, refusingAtOnce } from '@app/platform/dto/field-checks';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { IS_CRYPT_HASH } from '@app/security/passwords/crypt-hash';
import { MAX_IMPORTED_ID } from './identifiers';
import { importFields, listOfText, readRow } from './import-kind';

/** A user of a file. */
export interface ImportedUser extends NewUser {
  /** The former identifier, if the row has it. */
  readonly id: number | undefined;
  /** The secret of an active second factor, in plain text. */
  readonly totpSecret: string | undefined;
  /** False for an account that was closed in the previous panel. */
  readonly enabled: boolean;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The operator gives these roles, so the rules for an admin apply. */
function assertRoles(organisationId: number, roles: readonly string[]): void {
  const error = validateRoles({ roles: ['ROLE_ADMIN'] }, organisationId, roles);
  if (error !== undefined) throw ValidationFailed.on('roles', error);
}

/** Names of roles as a list, or in one text, separated by commas or semicolons. */
export const RolesField = (): PropertyDecorator =>
  field(
    {},
    {
      emptyIsAbsent: true,
      coerce: listOfText,
      documentation: { type: 'array', items: { type: 'string' } },
      checks: [IsArray(refusingAtOnce(NO_ROLES)), IsString({ ...refusing(NO_ROLES), each: true })],
    },
  );

const NO_ROLES = fieldError('WRONG_TYPE', 'This value should be a list of role names.');

const NO_TOTP_SECRET = fieldError(
  'INVALID',
  'This value should be a TOTP secret in base32, of 80 to 512 bits.',
);

/** One row of the file. It follows the rules for users in Variant B, which also accepts login names. */
class UserImportRow {
  @IntegerField({ min: 1, max: MAX_IMPORTED_ID }) id?: number;
  @IdentifierField({ declaredAs: 'integer', required: true }) organisationId!: number;

  @TextField({
    max: EMAIL_MAX_LENGTH,
    read: withAsciiDomain,
    required: true,
    rules: [IS_USERNAME],
  })
  username!: string;

  @PersonNameField() firstName!: string;
  @PersonNameField() lastName!: string;

  @TextField({
    max: 255,
    required: true,
    rules: [IS_CRYPT_HASH],
  })
  passwordHash!: string;

  @WordField({ words: LANGUAGES }) language: Language = 'nl';
  @RolesField() roles: string[] = [];
  @BooleanField({}) enabled = true;
  @TextField({ max: 4000, emptyIsAbsent: true }) websiteOrderInfo: string | null = null;

  @TextField({
    max: 255,
    emptyIsAbsent: true,
    rules: [
      { name: 'isTotpSecret', holds: (text) => readTotpSecret(text) !== undefined, error: NO_TOTP_SECRET },
    ],
  })
  totpSecret?: string;
}

const shape = createShape(UserImportRow, (row): EveryField<ImportedUser> => {
  const { websiteOrderInfo, roles, totpSecret, ...same } = row;
  assertRoles(row.organisationId, roles);
  return {
    ...same,
    id: row.id,
    roles: rolesOf(roles),
    websiteOrderInformation: websiteOrderInfo,
    totpSecret: readTotpSecret(totpSecret ?? ''),
  };
});

/** The API's name for `passwordHash`, the hash of the previous panel. */
const OTHER_NAME_OF_HASH = 'cp3Password';

export const USER_IMPORT_FIELDS = importFields(shape, {
  identity: ['id', 'username'],
  secret: ['passwordHash', OTHER_NAME_OF_HASH, 'totpSecret'],
  otherSpellings: { passwordHash: OTHER_NAME_OF_HASH },
});

/** Reads a row. Throws {@link ValidationFailed} with every bad field; with `strict` also unknown fields. */
export function readUserImportRow(
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
): Promise<ImportedUser> {
  const { [OTHER_NAME_OF_HASH]: otherHash, ...row } = values;
  const passwordHash = row['passwordHash'] || otherHash;
  return readRow(shape, { ...row, passwordHash }, strict, [
    () => {
      const roles = listOfText(row['roles'] ?? '');
      // Without a known organisation, only the names of the roles can be checked.
      if (isTexts(roles)) assertRoles(Number(row['organisationId']) || OPERATOR_ORGANISATION, roles);
    },
  ]);
}
