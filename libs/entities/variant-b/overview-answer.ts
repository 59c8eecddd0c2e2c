import { ApiProperty } from '@nestjs/swagger';
import { DomainReply, MailGroupReply, NamedEntityReply } from './entity-replies';

/** How many entities of each kind there are. */
export class EntityTotalsReply {
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
export class EntityOverviewAnswer {
  @ApiProperty({ type: EntityTotalsReply })
  total!: EntityTotalsReply;

  @ApiProperty({ type: [DomainReply] })
  domains!: DomainReply[];

  @ApiProperty({ type: [NamedEntityReply] })
  systems!: NamedEntityReply[];

  @ApiProperty({ type: [NamedEntityReply] })
  apps!: NamedEntityReply[];

  @ApiProperty({ type: [MailGroupReply] })
  mailgroups!: MailGroupReply[];
}
