import { ApiProperty } from '@nestjs/swagger';
import { DomainResponse, MailGroupResponse, NamedEntityResponse } from './entity.response';

/** How many entities of each kind there are. */
export class EntityTotalsResponse {
  @ApiProperty({ type: 'integer', description: 'How many apps there are', example: 2 })
  apps!: number;

  @ApiProperty({ type: 'integer', description: 'How many domains there are', example: 5 })
  domains!: number;

  @ApiProperty({ type: 'integer', description: 'How many mail groups there are', example: 1 })
  mailgroups!: number;

  @ApiProperty({ type: 'integer', description: 'How many systems there are', example: 3 })
  systems!: number;
}

/** Everything that an organisation may access. */
export class EntityOverviewResponse {
  @ApiProperty({ type: EntityTotalsResponse, description: 'How many of each kind there are' })
  total!: EntityTotalsResponse;

  @ApiProperty({ type: [DomainResponse], description: 'Domains, all of them' })
  domains!: DomainResponse[];

  @ApiProperty({ type: [NamedEntityResponse], description: 'Systems, all of them' })
  systems!: NamedEntityResponse[];

  @ApiProperty({ type: [NamedEntityResponse], description: 'Apps, all of them' })
  apps!: NamedEntityResponse[];

  @ApiProperty({ type: [MailGroupResponse], description: 'Mail groups, all of them' })
  mailgroups!: MailGroupResponse[];
}
