import { ApiProperty } from '@nestjs/swagger';
import type { Privilege } from '@app/core/access/privileges';
import type {
  ExplainedCredential,
  ExplainedRelation,
  ExplainedRoute,
  ExplainedUser,
} from '../explanation.types';

const VERDICTS = ['allow', 'role', 'deny'];

/** The route that serves a request. */
export class ExplainedRouteResponse {
  @ApiProperty({ description: 'Its method', example: 'GET' })
  method!: string;

  @ApiProperty({
    description: 'Its path, parameters in braces',
    example: '/v1/organisations/{organisationId}/users',
  })
  path!: string;

  @ApiProperty({
    description: 'Its operation in the privilege table, empty where it asks for no credential',
    example: 'users.list',
  })
  operation!: string;

  @ApiProperty({
    description: 'Why it asks for no credential, empty where it asks for one',
    example: '',
  })
  publicBecause!: string;
}

/** A credential, whether it counts or not. */
export class ExplainedCredentialResponse {
  @ApiProperty({ description: 'What it is', enum: ['login', 'api_key'], example: 'api_key' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'Identifier of the login or API key', example: 12 })
  id!: number;

  @ApiProperty({ description: 'Name of the API key, empty for a login', example: 'Terraform' })
  name!: string;

  @ApiProperty({
    type: [String],
    enum: ['EXPIRED', 'UNUSED_TOO_LONG'],
    description: 'Why it does not count by itself; empty where it does',
    example: [],
  })
  faults!: string[];

  @ApiProperty({ description: 'When it ends, in Unix seconds', example: '1798761600' })
  dtExpires!: string;

  @ApiProperty({
    description: 'When it was last used, in Unix seconds; empty where it never was',
    example: '1767229200',
  })
  dtLastUsed!: string;

  @ApiProperty({ description: 'Whether it is good for GET and HEAD alone', example: false })
  readOnly!: boolean;

  @ApiProperty({
    type: [String],
    description: 'The addresses that it accepts, empty for any',
    example: ['192.0.2.0/24'],
  })
  whitelist!: string[];
}

/** Who would make a request. */
export class ExplainedUserResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the user', example: 7 })
  id!: number;

  @ApiProperty({ description: 'User name', example: 'jan@example.com' })
  username!: string;

  @ApiProperty({ type: 'integer', description: 'The organisation of the user', example: 3 })
  organisationId!: number;

  @ApiProperty({ type: [String], description: 'Its roles', example: ['ROLE_CUSTADMIN'] })
  roles!: string[];

  @ApiProperty({
    type: [String],
    enum: ['USER_DISABLED', 'ORGANISATION_SUSPENDED'],
    description: 'Why none of its credentials counts; empty where they do',
    example: [],
  })
  standing!: string[];

  @ApiProperty({
    description: 'State of the second factor',
    enum: ['disabled', 'requested', 'enabled'],
    example: 'disabled',
  })
  status2fa!: string;

  @ApiProperty({
    description:
      'Whether the organisation demands a second factor: who has none is refused a new login then. A credential that ' +
      'is there goes on',
    example: false,
  })
  required2fa!: boolean;
}

class TreeLinkResponse {
  @ApiProperty({ description: 'By which link', enum: ['parent', 'reseller'], example: 'reseller' })
  kind!: string;

  @ApiProperty({ type: 'integer', description: 'The organisation below', example: 9 })
  organisationId!: number;

  @ApiProperty({ type: 'integer', description: 'The organisation above', example: 3 })
  aboveId!: number;
}

class ExplainedGrantResponse {
  @ApiProperty({ description: 'When it was given, in Unix seconds', example: '1767225600' })
  dtCreated!: string;
}

/** How the organisation of the user relates to the addressed one. */
export class ExplainedRelationResponse {
  @ApiProperty({ type: 'integer', description: 'The addressed organisation', example: 9 })
  organisationId!: number;

  @ApiProperty({ description: "Whether it is the user's own", example: false })
  own!: boolean;

  @ApiProperty({ description: "Whether it lies beneath the user's own", example: true })
  beneath!: boolean;

  @ApiProperty({
    type: [TreeLinkResponse],
    description: "One way from it up to the user's own, where it lies beneath",
  })
  links!: TreeLinkResponse[];

  @ApiProperty({ description: "Whether it granted access to the user's own", example: false })
  granted!: boolean;

  @ApiProperty({ type: ExplainedGrantResponse, nullable: true, description: 'The grant, where there is one' })
  grant!: ExplainedGrantResponse | null;
}

/** A row of the privilege table. */
export class ExplainedPrivilegeResponse {
  @ApiProperty({ enum: VERDICTS, description: 'Of ROLE_ADMIN, everywhere', example: 'allow' })
  admin!: string;

  @ApiProperty({
    enum: VERDICTS,
    description: 'Of ROLE_CUSTADMIN in its own organisation, and where the path names none',
    example: 'allow',
  })
  custadminOwn!: string;

  @ApiProperty({
    enum: VERDICTS,
    description: 'Of ROLE_CUSTADMIN in an organisation beneath its own',
    example: 'allow',
  })
  custadminBeneath!: string;

  @ApiProperty({
    enum: ['', ...VERDICTS],
    description: 'Of ROLE_FINANCE in its own organisation, empty where that makes no difference',
    example: '',
  })
  finance!: string;

  @ApiProperty({
    enum: VERDICTS,
    description: 'Of any other user of the organisation, and where the path names none',
    example: 'role',
  })
  member!: string;

  @ApiProperty({
    enum: VERDICTS,
    description: 'Of users whose organisation was granted access',
    example: 'deny',
  })
  granted!: string;

  @ApiProperty({
    enum: ['', ...VERDICTS],
    description: 'Of the addressed user itself, empty where that makes no difference',
    example: '',
  })
  self!: string;

  @ApiProperty({
    enum: ['', 'deny'],
    description: '`deny` where no API key may do it, otherwise empty',
    example: '',
  })
  apiKey!: string;
}

export const toRoute = (route: ExplainedRoute): ExplainedRouteResponse => ({
  method: route.method,
  path: route.path,
  operation: route.operation,
  publicBecause: route.publicBecause,
});

export const toCredential = (credential: ExplainedCredential): ExplainedCredentialResponse => ({
  kind: credential.kind,
  id: credential.id,
  name: credential.name,
  faults: [...credential.faults],
  dtExpires: String(credential.expiresAt),
  dtLastUsed: credential.lastUsedAt === null ? '' : String(credential.lastUsedAt),
  readOnly: credential.readOnly,
  whitelist: [...credential.whitelist],
});

export const toUser = (user: ExplainedUser): ExplainedUserResponse => ({
  id: user.id,
  username: user.username,
  organisationId: user.organisationId,
  roles: [...user.roles],
  standing: [...user.standing],
  status2fa: user.secondFactor,
  required2fa: user.secondFactorDemanded,
});

export const toRelation = (relation: ExplainedRelation): ExplainedRelationResponse => ({
  organisationId: relation.organisationId,
  own: relation.own,
  beneath: relation.beneath,
  links: relation.links.map(({ kind, organisationId, aboveId }) => ({ kind, organisationId, aboveId })),
  granted: relation.granted,
  grant: relation.grant === undefined ? null : { dtCreated: String(relation.grant.createdAt) },
});

export const toPrivilege = (privilege: Privilege): ExplainedPrivilegeResponse => ({
  admin: privilege.admin,
  custadminOwn: privilege.custadminOwn,
  custadminBeneath: privilege.custadminBeneath,
  finance: privilege.finance ?? '',
  member: privilege.member,
  granted: privilege.granted,
  self: privilege.self ?? '',
  apiKey: privilege.apiKey ?? '',
});
