import { Check, field, IdentifierField, TextField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import type { MailDomain } from '@app/teams/mail-domain.types';
import { coerceMailDomains, faultOfMailDomains, MAX_DOMAINS, MAX_NAME_LENGTH } from '../mail-domains';
import type { EntityInput } from './entity-registration.types';

const DomainsField = (): PropertyDecorator =>
  field(
    { nullable: true, description: 'Of a mail group; left out they stay, null and [] are none' },
    false,
    coerceMailDomains,
    {
      type: 'array',
      maxItems: MAX_DOMAINS,
      items: {
        type: 'object',
        required: ['id', 'name', 'mailPrimary', 'domaintype'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          mailPrimary: { type: 'boolean' },
          domaintype: {
            type: 'object',
            required: ['id', 'extension'],
            properties: { id: { type: 'integer' }, name: { type: 'string' }, extension: { type: 'string' } },
          },
        },
      },
    },
    Check('domains', faultOfMailDomains),
  );

/** Body of `PUT /entities/{kind}/{entityId}`. */
class RegisterEntityDto {
  @TextField({ max: MAX_NAME_LENGTH, required: true, example: 'web01' })
  name!: string;

  @IdentifierField({ declaredAs: 'integer', required: true, example: 12 })
  organisationId!: number;

  @DomainsField()
  domains?: MailDomain[] | null;
}

export const registerEntityShape = updateShape(RegisterEntityDto, (dto): EveryField<EntityInput> => ({
  name: dto.name,
  organisationId: dto.organisationId,
  domains: dto.domains === null ? [] : dto.domains,
}));
