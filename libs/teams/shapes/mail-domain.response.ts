import { ApiProperty } from '@nestjs/swagger';
import type { MailDomain } from '../mail-domain.types';

class DomaintypeResponse {
  @ApiProperty({ type: 'integer', example: 4 })
  id!: number;

  @ApiProperty({ example: 'nl', description: 'Empty where the register has none' })
  name!: string;

  @ApiProperty({ example: 'nl' })
  extension!: string;
}

/** A domain of a mail group, in teams and in the entity overview alike. */
export class MailDomainResponse {
  @ApiProperty({ type: 'integer', example: 77 })
  id!: number;

  @ApiProperty({ example: 'bakkerijdevries', description: 'Without the extension' })
  name!: string;

  @ApiProperty()
  mailPrimary!: boolean;

  @ApiProperty({ type: DomaintypeResponse })
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
