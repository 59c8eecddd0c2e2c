import { ResponseField } from '@app/platform/dto/shapes';
import type { ListShape } from '@app/platform/lists/list-request';
import { ROLES } from '@app/security/access/roles';
import { type AccessHolder, type AccessOrder, HOLDER_KINDS, WAYS } from './access-list.types';

class HolderOrganisationResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the organisation', example: 3 }) id!: number;

  @ResponseField({
    description: 'Its name; empty where the reader may not read the organisation',
    example: 'Webbureau Jansen',
  })
  name!: string;
}

class AccessHolderResponse {
  @ResponseField({
    description:
      '`user`: a user. `serviceKey`: a service key. `operator`: everybody of the hosting company, in one row. `manager`: the managers and ' +
      'service keys of an organisation above, in one row. `grantee`: whoever uses a grant, in one row, until managers of the organisation that received it ' +
      'have named a team on it. Readers who may know them get rows of `user` and `serviceKey` instead',
    enum: HOLDER_KINDS,
    example: 'user',
  })
  kind!: string;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the user or service key; 0 for `operator`, `manager` and `grantee`',
    example: 12,
  })
  id!: number;

  @ResponseField({
    description:
      'The user name, or what the service key is called; empty for `operator`, `manager` and `grantee`',
    example: 'jan@example.com',
  })
  name!: string;

  @ResponseField({
    type: HolderOrganisationResponse,
    description: 'The organisation of the user or service key',
  })
  organisation!: HolderOrganisationResponse;

  @ResponseField({
    description:
      'Why: it belongs to the organisation (`own`), to one above it (`above`), or to one that holds a grant (`grant`). The first that is true counts',
    enum: WAYS,
    example: 'own',
  })
  by!: string;

  @ResponseField({
    description:
      '`manage`: it may change the organisation. `read`: it may not, whatever else it may do. Of `grantee` what the grant is for',
    enum: ['read', 'manage'],
    example: 'manage',
  })
  access!: string;

  @ResponseField({
    type: ['string'],
    description: 'The roles of the user, in its own organisation; empty for all but `user`',
    enum: ROLES,
    example: ['ROLE_CUSTADMIN'],
  })
  roles!: string[];

  @ResponseField({
    type: 'boolean',
    description: 'Whether the user has two-factor login on; false for all but `user`',
    example: true,
  })
  secondFactor!: boolean;

  @ResponseField({
    type: 'integer',
    description: 'How many passkeys the user has; 0 for all but `user`',
    example: 1,
  })
  passkeys!: number;

  @ResponseField({
    type: 'integer',
    description: 'How many API keys of the user have not ended; 0 for all but `user`',
    example: 0,
  })
  apiKeys!: number;

  @ResponseField({
    description:
      'When a login or API key of the user, or the service key, was last used, in Unix seconds; ' +
      'empty: never, or its record is gone, and for `operator`, `manager` and `grantee`',
    example: '1735693200',
  })
  dtLastUsed!: string;

  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'Identifier of the grant; null for all but `grant`',
    example: null,
  })
  grantId!: number | null;
}

/** Response of the list. */
export class AccessListResponse {
  @ResponseField({ type: 'integer', description: 'How many rows the whole list has, all pages together' })
  total!: number;

  @ResponseField({ type: [AccessHolderResponse], description: 'Who has access, of the page' })
  access!: AccessHolderResponse[];
}

const toHolderResponse = (holder: AccessHolder): AccessHolderResponse => ({
  kind: holder.kind,
  id: holder.id,
  name: holder.name,
  organisation: { id: holder.organisationId, name: holder.organisationName },
  by: holder.by,
  access: holder.access,
  roles: [...holder.roles],
  secondFactor: holder.secondFactor,
  passkeys: holder.passkeys,
  apiKeys: holder.apiKeys,
  dtLastUsed: String(holder.lastUsedAt ?? ''),
  grantId: holder.grantId,
});

/** The response of the list, equal in both variants. */
export class AccessListShapes {
  readonly list: ListShape<AccessHolder, AccessOrder> = {
    body: AccessListResponse,
    orderBy: {
      kind: 'kind',
      id: 'id',
      name: 'name',
      by: 'by',
      access: 'access',
      secondFactor: 'secondFactor',
      passkeys: 'passkeys',
      apiKeys: 'apiKeys',
      dtLastUsed: 'lastUsedAt',
      grantId: 'grantId',
    },
    search: {},
    toResponse: ({ total = 0, items }): AccessListResponse => ({
      total,
      access: items.map(toHolderResponse),
    }),
  };
}
