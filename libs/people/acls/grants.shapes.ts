import { TEAM } from '@app/people/users/shapes/shared/user-parts.response';
import { IdentifierField, TimestampField, WordField } from '@app/platform/dto/field.decorators';
import {
  createShape,
  type EveryField,
  ResponseField,
  RestrictedField,
  singleOf,
  updateShape,
} from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { GRANT_COLUMNS, type GrantDetails } from './grant.columns';
import { GRANT_ACCESS, type GrantAccess, type GrantChanges, type NewGrant } from './grant.types';
import type { GrantSearch } from './grants.service';

/** Descriptions of fields in requests and responses. */
const GRANT = {
  access: {
    description:
      '`read`: its users read the organisation, its users and its records. `manage`: its ' +
      'CUSTADMINs, and the members of teams that the grant names, also work on its details and ' +
      'records',
    example: 'manage',
  },
  expires: 'When it ends, in Unix seconds',
} as const;

/** Body of POST. */
class CreateGrantDto {
  @IdentifierField({
    declaredAs: 'integer',
    required: true,
    description: 'The organisation that receives access',
    example: 7,
  })
  organisation!: number;

  @WordField({ words: GRANT_ACCESS, default: 'read', ...GRANT.access }) access?: GrantAccess;
  @TimestampField({ description: `${GRANT.expires}; absent: it does not end by itself` }) expires?: number;
  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

/** Body of PUT. */
class UpdateGrantDto {
  @WordField({ words: GRANT_ACCESS, ...GRANT.access }) access?: GrantAccess;

  @TimestampField({
    nullable: true,
    emptyClears: true,
    description: `${GRANT.expires}; empty takes the end away, absent leaves it`,
  })
  expires?: number | null;

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

class GrantPartyResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the organisation', example: 3 }) id!: number;

  @ResponseField({
    description: 'Its name; empty where the reader may not read the organisation',
    example: 'Bakkerij de Vries',
  })
  name!: string;
}

class GrantTeamResponse {
  @ResponseField(TEAM.id) id!: number;
  @ResponseField(TEAM.name) name!: string;
}

class GrantResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the grant', example: 21 }) id!: number;
  @ResponseField({ type: GrantPartyResponse, description: 'The organisation that gives' })
  organisation!: GrantPartyResponse;
  @ResponseField({ type: GrantPartyResponse, description: 'The organisation that receives' })
  grantee!: GrantPartyResponse;
  @ResponseField({ enum: [...GRANT_ACCESS], ...GRANT.access }) access!: string;

  @ResponseField({
    type: 'boolean',
    description:
      'Whether only its teams and the CUSTADMINs of the grantee use it. Otherwise all users of the grantee read by it, and its CUSTADMINs manage',
    example: true,
  })
  onlyTeams!: boolean;

  @RestrictedField({
    type: [GrantTeamResponse],
    description: 'The teams of the grantee that use it; absent for readers who do not manage the grantee',
  })
  teams?: GrantTeamResponse[];

  @ResponseField({ description: 'When it was given, in Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ResponseField({ description: `${GRANT.expires}; empty: it does not end by itself`, example: '1798761600' })
  dtExpires!: string;
}

const toGrantResponse = (grant: GrantDetails): GrantResponse => ({
  id: grant.id,
  organisation: { id: grant.organisation.id, name: grant.organisation.name },
  grantee: { id: grant.grantee.id, name: grant.grantee.name },
  access: grant.access,
  onlyTeams: grant.onlyTeams,
  ...(grant.teams !== null && { teams: grant.teams.map(({ id, name }) => ({ id, name })) }),
  dtCreated: String(grant.createdAt),
  dtExpires: String(grant.expiresAt ?? ''),
});

/** Requests and responses of grants, equal in both variants. */
export class GrantsShapes {
  readonly create = createShape(CreateGrantDto, (dto): EveryField<NewGrant & Proven> => ({
    granteeId: dto.organisation,
    access: dto.access ?? 'read',
    expiresAt: dto.expires,
    proof: stepUpProof(dto),
  }));
  readonly update = updateShape(UpdateGrantDto, (dto): EveryField<GrantChanges & Proven> => ({
    access: dto.access,
    expiresAt: dto.expires,
    proof: stepUpProof(dto),
  }));
  readonly single = singleOf('grant', GrantResponse, toGrantResponse);
  readonly list = listOf('grants', GRANT_COLUMNS, GrantResponse, toGrantResponse, {
    orders: { dtCreated: 'createdAt', dtExpires: 'expiresAt' },
    search: { direction: 'direction' } satisfies Record<GrantSearch, GrantSearch>,
    exact: {
      direction: 'Only grants that the organisation has `given`, or only those that it has `received`',
    },
    total: 'How many grants the whole list has, all pages together',
  });
}
