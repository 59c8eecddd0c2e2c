import { ApiProperty } from '@nestjs/swagger';
import type { AuditedAct } from '../audited-act.types';

class ActorResponse {
  @ApiProperty({
    description:
      '`user`: a user whom the reader may see. `operator`: somebody of the hosting company. `manager`: a user of an ' +
      'organisation above. `invitation`, `nameRestoration`: whoever had the link of a mail. `stranger`: whoever was refused. ' +
      '`service`: the service itself',
    enum: ['user', 'operator', 'manager', 'invitation', 'nameRestoration', 'stranger', 'service'],
    example: 'user',
  })
  type!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Identifier of the user; null for all but `user`',
    example: 7,
  })
  userId!: number | null;

  @ApiProperty({
    description: 'The name that the user has by now; empty for all but `user`',
    example: 'jan@example.com',
  })
  username!: string;

  @ApiProperty({
    description:
      'By what: `login`, `api_key`, `password`, `confirmation_code`, `reset_token`, `invitation` or ' +
      '`name_restoration`; empty where the reader may not know',
    example: 'login',
  })
  credential!: string;

  @ApiProperty({
    description: 'From which address, of refusals from which network; empty where the reader may not know',
    example: '192.0.2.7',
  })
  ip!: string;
}

class ChangeResponse {
  @ApiProperty({
    description: 'What was done',
    enum: ['insert', 'update', 'delete', 'refuse'],
    example: 'update',
  })
  action!: string;

  @ApiProperty({ description: 'To what kind of record', example: 'users' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Identifier of the record', example: 12 })
  id!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The organisation that the record belongs to; null where it is not known',
    example: 3,
  })
  organisationId!: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'What changed, as it was; of a deletion all of it. Secrets say `(changed)`. Null for an insert, and where the ' +
      'reader may not see the values: those of other organisations, and to managers those of the operator',
    example: { firstName: 'Jan' },
  })
  before!: object | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What changed, as it is; of an insert all of it. Null for a deletion, and as above',
    example: { firstName: 'Johan' },
  })
  after!: object | null;
}

/** An act: who did what when. */
export class AuditedActResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Identifier of the entry; later ones are larger',
    example: 4711,
  })
  id!: number;

  @ApiProperty({ description: 'When, in Unix seconds', example: '1767225600' })
  dtStamp!: string;

  @ApiProperty({ type: ActorResponse, description: 'Who did it, as far as the reader may know' })
  actor!: ActorResponse;

  @ApiProperty({ type: ChangeResponse, description: 'What was done to which record' })
  change!: ChangeResponse;
}

/** Response of the list. */
export class AuditListResponse {
  @ApiProperty({ type: [AuditedActResponse], description: 'The acts of the page' })
  audit!: AuditedActResponse[];
}

export const toAuditedActResponse = (act: AuditedAct): AuditedActResponse => ({
  id: act.id,
  dtStamp: String(act.at),
  actor: {
    type: act.actor.type,
    userId: act.actor.userId,
    username: act.actor.username,
    credential: act.actor.credential,
    ip: act.actor.address,
  },
  change: {
    action: act.action,
    kind: act.kind,
    id: act.recordId,
    organisationId: act.organisationId,
    before: act.before,
    after: act.after,
  },
});
