import { Injectable } from '@nestjs/common';
import { ResponseField, RestrictedField } from '@app/platform/dto/shapes';
import type { ListShape } from '@app/platform/lists/list-request';
import { AuditKinds } from './audit-kinds';
import {
  ACTOR_TYPES,
  type ActorType,
  type AuditedActOrder,
  type AuditedActSearch,
} from './audited-act.queries';

/** The user in whose name a support login acted. */
class ServedUserResponse {
  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'Identifier of the user; null where the reader may not know the user',
    example: 7,
  })
  userId!: number | null;

  @ResponseField({ description: 'The name that the user has by now; empty where the reader may not know it' })
  username!: string;
}

export class ActorResponse {
  @ResponseField({
    description:
      '`user`: a user whom the reader may see. `serviceKey`: a service key of an organisation in ' +
      'reach. `operator`: somebody of the hosting company. `manager`: a user of an ' +
      'organisation above. `invitation`: whoever had the link of a mail. ' +
      '`service`: the service itself',
    enum: ACTOR_TYPES,
    example: 'user',
  })
  type!: ActorType;

  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'Identifier of the user; null for all but `user`',
    example: 7,
  })
  userId!: number | null;

  @ResponseField({
    description: 'The name that the user has by now; empty for all but `user`',
    example: 'jan@example.com',
  })
  username!: string;

  @ResponseField({
    description:
      'By what: `login`, `support_login`, `api_key`, `service_key`, `password`, `passkey`, `confirmation_code`, `reset_token`, ' +
      '`login_notice`, `invitation` or `username_link`; empty where the reader may not know',
    example: 'login',
  })
  credential!: string;

  @ResponseField({
    description: 'From which address; empty where the reader may not know',
    example: '192.0.2.7',
  })
  ip!: string;

  @RestrictedField({
    type: 'integer',
    description: 'Identifier of the service key; absent for all but `serviceKey`',
    example: 4,
  })
  serviceKeyId?: number;

  @RestrictedField({
    description: 'The name that the service key had; absent for all but `serviceKey`',
    example: 'Name server',
  })
  name?: string;

  @RestrictedField({
    description:
      'Why the actor acted in the name of a user; empty where the reader may not know. Absent for all but acts with a support login',
    example: 'Ticket 4711: mail does not arrive',
  })
  reason?: string;

  @RestrictedField({
    type: ServedUserResponse,
    description: 'In whose name the actor acted. Absent for all but acts with a support login',
  })
  onBehalfOf?: ServedUserResponse;

  @RestrictedField({
    type: 'integer',
    nullable: true,
    description: 'The organisation of the user; absent for all but acts by a grant',
    example: 7,
  })
  organisationId?: number | null;

  @RestrictedField({
    type: 'integer',
    description: 'The grant by which the user acted; absent for all others',
    example: 21,
  })
  grantId?: number;
}

class ChangeResponse {
  @ResponseField({
    description: 'What was done',
    enum: ['insert', 'update', 'delete'],
    example: 'update',
  })
  action!: string;

  @ResponseField({ description: 'To what kind of record', example: 'users' }) kind!: string;
  @ResponseField({ type: 'integer', description: 'Identifier of the record', example: 12 }) id!: number;

  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'The organisation that the record belongs to; null where it is not known',
    example: 3,
  })
  organisationId!: number | null;

  @ResponseField({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'What changed, as it was; of a deletion all of it. Secrets say `(changed)`. Null for an insert, and where the ' +
      'reader may not see the values: those of other organisations, and to managers those of the operator',
    example: { firstName: 'Jan' },
  })
  before!: object | null;

  @ResponseField({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What changed, as it is; of an insert all of it. Null for a deletion, and as above',
    example: { firstName: 'Johan' },
  })
  after!: object | null;
}

/** An entry of the log. */
export class AuditedActResponse {
  @ResponseField({
    type: 'integer',
    description: 'Identifier of the entry; later ones are larger',
    example: 4711,
  })
  id!: number;

  @ResponseField({ description: 'When, in Unix seconds', example: '1767225600' }) dtStamp!: string;

  @ResponseField({ type: ActorResponse, description: 'Who did it, as far as the reader may know' })
  actor!: ActorResponse;

  @ResponseField({ type: ChangeResponse, description: 'What was done to which record' })
  change!: ChangeResponse;
}

/** Response of the list. */
export class AuditListResponse {
  @ResponseField({ type: [AuditedActResponse], description: 'The acts of the page' })
  audit!: AuditedActResponse[];
}

const describedKinds = ({ tables }: AuditKinds): string =>
  [...tables.values()]
    .filter(({ isOfTests }) => isOfTests !== true)
    .map(({ kind }) => kind)
    .sort()
    .join(', ');

/** The response of the audit log, the same in both variants. The service makes its items. */
@Injectable()
export class AuditShapes {
  readonly list: ListShape<AuditedActResponse, AuditedActOrder, AuditedActSearch>;

  constructor(kinds: AuditKinds) {
    this.list = {
      body: AuditListResponse,
      orderBy: { id: 'id', dtStamp: 'at' },
      search: { user: 'user', kind: 'kind', from: 'from', to: 'to' },
      exact: {
        user: 'Only what the user with this identifier did; one whom the reader may not see did nothing',
        kind: `Only what was done to records of this kind: ${describedKinds(kinds)}`,
        from: 'Only from this moment on, in Unix seconds',
        to: 'Only before this moment, in Unix seconds',
      },
      toResponse: ({ items }): AuditListResponse => ({ audit: [...items] }),
    };
  }
}
