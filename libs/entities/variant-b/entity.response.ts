import { ApiProperty } from '@nestjs/swagger';
import { MailDomainResponse, toMailDomainResponse } from '@app/teams/shapes/mail-domain.response';
import type { EntityOfOrganisation } from './entity-of-organisation.types';

/** An app or a system. */
export class NamedEntityResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Identifier in the register, unique in its kind',
    example: 501,
  })
  id!: number;

  @ApiProperty({ description: 'Name in the register', example: 'web01' })
  name!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  })
  organisationId!: number;

  @ApiProperty({ description: 'Name of that organisation', example: 'Bakkerij de Vries' })
  organisationName!: string;
}

/** A domain. */
export class DomainResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Identifier in the register, unique in its kind',
    example: 77,
  })
  id!: number;

  @ApiProperty({ description: 'Name of the domain with its extension', example: 'bakkerijdevries.nl' })
  fullname!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  })
  organisationId!: number;

  @ApiProperty({ description: 'Name of that organisation', example: 'Bakkerij de Vries' })
  organisationName!: string;
}

/** A mail group with its domains. */
export class MailGroupResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Identifier in the register, unique in its kind',
    example: 31,
  })
  id!: number;

  @ApiProperty({ description: 'Name in the register', example: 'Mail' })
  name!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Identifier of the organisation that it belongs to',
    example: 12,
  })
  organisationId!: number;

  @ApiProperty({ description: 'Name of that organisation', example: 'Bakkerij de Vries' })
  organisationName!: string;

  @ApiProperty({ type: [MailDomainResponse], description: 'The domains whose mail it is' })
  domains!: MailDomainResponse[];
}

export const toNamedEntityResponse = (entity: EntityOfOrganisation): NamedEntityResponse => ({
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const toDomainResponse = (entity: EntityOfOrganisation): DomainResponse => ({
  id: entity.id,
  fullname: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const toMailGroupResponse = (entity: EntityOfOrganisation): MailGroupResponse => ({
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
  domains: (entity.domains ?? []).map(toMailDomainResponse),
});
