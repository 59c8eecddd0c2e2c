import { ApiProperty } from '@nestjs/swagger';
import type { Explanation } from '../explanation.types';
import {
  ExplainedCredentialResponse,
  ExplainedPrivilegeResponse,
  ExplainedRelationResponse,
  ExplainedRouteResponse,
  ExplainedUserResponse,
  toCredential,
  toPrivilege,
  toRelation,
  toRoute,
  toUser,
} from './explanation-parts.response';

/** What the guard would answer a request, and the chain behind it. */
export class ExplanationResponse {
  @ApiProperty({
    description: '`allow`, `role` (500 `Insufficient role`), or the status of the refusal',
    enum: ['allow', 'role', '401', '403', '404', '405', '501'],
    example: '403',
  })
  verdict!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the refusal; null where the request goes on',
    example: 403,
  })
  status!: number | null;

  @ApiProperty({ description: 'Reason of the refusal, empty where there is none', example: 'ACCESS_DENIED' })
  reason!: string;

  @ApiProperty({ description: 'Message of the refusal, empty where there is none', example: 'Access denied' })
  message!: string;

  @ApiProperty({
    description:
      'The check that had the last word. They come in this order: `path` (is it served), `route` (does it ask for a ' +
      'credential), `credential`, `address` (whitelist), `target` (does what the path names exist), `method` (read-only ' +
      'key), `privilege`',
    enum: ['path', 'route', 'credential', 'address', 'target', 'method', 'privilege'],
    example: 'privilege',
  })
  step!: string;

  @ApiProperty({
    description:
      'What of the privilege table counted: a field of `privilege`, `adminAddressed` or `noRelation`; empty where an ' +
      'earlier check had the last word',
    example: 'noRelation',
  })
  decidedBy!: string;

  @ApiProperty({
    description: 'Why, in words for people',
    example: 'Neither a role, nor a link of the tree, nor a grant leads the user to the organisation.',
  })
  because!: string;

  @ApiProperty({
    type: ExplainedRouteResponse,
    nullable: true,
    description: 'The route that serves the request; null where none does',
  })
  route!: ExplainedRouteResponse | null;

  @ApiProperty({
    type: ExplainedCredentialResponse,
    nullable: true,
    description: 'The credential; null where the user was given, and for one that is unknown',
  })
  credential!: ExplainedCredentialResponse | null;

  @ApiProperty({
    type: ExplainedUserResponse,
    nullable: true,
    description: 'The user; null where the credential is unknown',
  })
  user!: ExplainedUserResponse | null;

  @ApiProperty({
    type: ExplainedRelationResponse,
    nullable: true,
    description:
      'How the organisation of the user relates to the addressed one; null where none is addressed',
  })
  relation!: ExplainedRelationResponse | null;

  @ApiProperty({
    type: ExplainedPrivilegeResponse,
    nullable: true,
    description: 'The row of the privilege table; null where the route asks for no credential',
  })
  privilege!: ExplainedPrivilegeResponse | null;
}

/** Response of POST. */
export class SingleExplanationResponse {
  @ApiProperty({ type: ExplanationResponse, description: 'The explanation' })
  explanation!: ExplanationResponse;
}

export const toExplanationResponse = (explanation: Explanation): ExplanationResponse => ({
  verdict: explanation.verdict,
  status: explanation.status,
  reason: explanation.reason,
  message: explanation.message,
  step: explanation.step,
  decidedBy: explanation.decidedBy,
  because: explanation.because,
  route: explanation.route === undefined ? null : toRoute(explanation.route),
  credential: explanation.credential === undefined ? null : toCredential(explanation.credential),
  user: explanation.user === undefined ? null : toUser(explanation.user),
  relation: explanation.relation === undefined ? null : toRelation(explanation.relation),
  privilege: explanation.privilege === undefined ? null : toPrivilege(explanation.privilege),
});
