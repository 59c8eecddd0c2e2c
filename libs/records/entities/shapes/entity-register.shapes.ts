import { ArrayMaxSize, IsArray } from 'class-validator';
import type { SchemaObject } from 'openapi3-ts/oas31';
import type { MailDomain } from '@app/people/teams/team.types';
import { field, IdentifierField, TextField } from '@app/platform/dto/field.decorators';
import { refusing, refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { type EveryField, updateShape } from '@app/platform/dto/shapes';
import type { EntityInput } from '../entity.types';
import {
  areMailDomains,
  coerceMailDomains,
  MAX_DOMAINS,
  MAX_NAME_LENGTH,
  NO_LIST,
  NO_MAIL_DOMAINS,
  TOO_MANY_DOMAINS,
} from '../mail-domains';

const DomainsField = (): PropertyDecorator =>
  field(
    { nullable: true, description: 'Of a mail group; left out they stay, null and [] are none' },
    {
      emptyIsAbsent: false,
      coerce: coerceMailDomains,
      documentation: { type: 'array', maxItems: MAX_DOMAINS, items: MAIL_DOMAIN },
      checks: [
        IsArray(refusingAtOnce(NO_LIST)),
        ArrayMaxSize(MAX_DOMAINS, refusingAtOnce(TOO_MANY_DOMAINS)),
        Satisfies('areMailDomains', areMailDomains, refusing(NO_MAIL_DOMAINS)),
      ],
    },
  );

/** A mail domain in the interface description. */
const MAIL_DOMAIN: SchemaObject = {
  type: 'object',
  required: ['id', 'name', 'mailPrimary', 'domaintype'],
  properties: {
    id: { type: 'integer', description: 'Identifier of the domain' },
    name: { type: 'string', description: 'Name of the domain without its extension' },
    mailPrimary: { type: 'boolean', description: 'Whether it is the main domain of the mail group' },
    domaintype: {
      type: 'object',
      description: 'The extension of the domain',
      required: ['id', 'extension'],
      properties: {
        id: { type: 'integer', description: 'Identifier of the extension' },
        name: { type: 'string', description: 'Name of the extension' },
        extension: { type: 'string', description: 'The extension without its dot' },
      },
    },
  },
};

/** Body of `PUT /entities/{kind}/{entityId}`. */
class RegisterEntityDto {
  @TextField({ max: MAX_NAME_LENGTH, required: true, description: 'Name in the register', example: 'web01' })
  name!: string;

  @IdentifierField({
    declaredAs: 'integer',
    required: true,
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  })
  organisationId!: number;

  @DomainsField() domains?: MailDomain[] | null;
}

const registerEntityShape = updateShape(RegisterEntityDto, (dto): EveryField<EntityInput> => ({
  name: dto.name,
  organisationId: dto.organisationId,
  domains: dto.domains === null ? [] : dto.domains,
}));

/** The request shapes of the register, the same in both variants. */
export class EntityRegisterShapes {
  /** Body of `PUT /entities/…`. */
  readonly register = registerEntityShape;
}
