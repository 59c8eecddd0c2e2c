import { ApiProperty } from '@nestjs/swagger';
import { DomainResponse, MailGroupResponse, NamedEntityResponse } from './entity.response';

/** How many entities of each kind there are. */
export class EntityTotalsResponse {
  @ApiProperty({ type: 'integer', example: 2 })
  apps!: number;

  @ApiProperty({ type: 'integer', example: 5 })
  domains!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  mailgroups!: number;

  @ApiProperty({ type: 'integer', example: 3 })
  systems!: number;
}

/** Everything that an organisation may access. */
export class EntityOverviewResponse {
  @ApiProperty({ type: EntityTotalsResponse })
  total!: EntityTotalsResponse;

  @ApiProperty({ type: [DomainResponse] })
  domains!: DomainResponse[];

  @ApiProperty({ type: [NamedEntityResponse] })
  systems!: NamedEntityResponse[];

  @ApiProperty({ type: [NamedEntityResponse] })
  apps!: NamedEntityResponse[];

  @ApiProperty({ type: [MailGroupResponse] })
  mailgroups!: MailGroupResponse[];
}
