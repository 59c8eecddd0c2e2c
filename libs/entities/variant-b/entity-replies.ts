import { ApiProperty } from '@nestjs/swagger';
import type { EntityOfOrganisation, MailDomain } from '../entity.values';

/** An app or a system. */
export class NamedEntityReply {
  @ApiProperty({ type: 'integer', example: 501 })
  id!: number;

  @ApiProperty({ example: 'web01' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 12 })
  organisationId!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  organisationName!: string;
}

/** A domain. */
export class DomainReply {
  @ApiProperty({ type: 'integer', example: 77 })
  id!: number;

  @ApiProperty({ example: 'bakkerijdevries.nl' })
  fullname!: string;

  @ApiProperty({ type: 'integer', example: 12 })
  organisationId!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  organisationName!: string;
}

class DomaintypeReply {
  @ApiProperty({ type: 'integer', example: 4 })
  id!: number;

  @ApiProperty({ example: 'nl' })
  extension!: string;
}

class MailDomainReply {
  @ApiProperty({ type: 'integer', example: 77 })
  id!: number;

  @ApiProperty({ example: 'bakkerijdevries' })
  name!: string;

  @ApiProperty()
  mailPrimary!: boolean;

  @ApiProperty({ type: DomaintypeReply })
  domaintype!: DomaintypeReply;
}

/** A mail group with its domains. */
export class MailGroupReply {
  @ApiProperty({ type: 'integer', example: 31 })
  id!: number;

  @ApiProperty({ example: 'Mail' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 12 })
  organisationId!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  organisationName!: string;

  @ApiProperty({ type: [MailDomainReply] })
  domains!: MailDomainReply[];
}

export const namedEntityReply = (entity: EntityOfOrganisation): NamedEntityReply => ({
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const domainReply = (entity: EntityOfOrganisation): DomainReply => ({
  id: entity.id,
  fullname: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
});

export const mailGroupReply = (entity: EntityOfOrganisation): MailGroupReply => ({
  id: entity.id,
  name: entity.name,
  organisationId: entity.organisationId,
  organisationName: entity.organisationName,
  domains: (entity.domains ?? []).map(mailDomainReply),
});

const mailDomainReply = (domain: MailDomain): MailDomainReply => ({
  id: domain.id,
  name: domain.name,
  mailPrimary: domain.mailPrimary,
  domaintype: { id: domain.domaintype.id, extension: domain.domaintype.extension },
});
