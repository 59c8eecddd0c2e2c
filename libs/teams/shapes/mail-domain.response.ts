import { ApiProperty } from '@nestjs/swagger';
import type { MailDomain } from '../mail-domain.types';

class DomaintypeResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the extension', example: 4 })
  id!: number;

  @ApiProperty({ description: 'Name of the extension; empty where the register has none', example: 'nl' })
  name!: string;

  @ApiProperty({ description: 'The extension without its dot', example: 'nl' })
  extension!: string;
}

/** A domain of a mail group, in teams and in the entity overview alike. */
export class MailDomainResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the domain', example: 77 })
  id!: number;

  @ApiProperty({ description: 'Name of the domain without its extension', example: 'bakkerijdevries' })
  name!: string;

  @ApiProperty({ description: 'Whether it is the main domain of the mail group' })
  mailPrimary!: boolean;

  @ApiProperty({ type: DomaintypeResponse, description: 'The extension of the domain' })
  domaintype!: DomaintypeResponse;
}

export const toMailDomainResponse = ({
  id,
  name,
  mailPrimary,
  domaintype,
}: MailDomain): MailDomainResponse => ({
  id,
  name,
  mailPrimary,
  domaintype: { id: domaintype.id, name: domaintype.name ?? '', extension: domaintype.extension },
});
