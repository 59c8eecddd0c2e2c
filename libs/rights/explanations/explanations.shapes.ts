import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { explainAccessShape } from './explain-access.dto';
import type { CredentialFault, Standing } from './reason-text';

const VERDICTS = ['allow', 'role', 'deny'];

export class ExplainedRouteResponse {
  @ResponseField({ description: 'Its method', example: 'GET' }) method!: string;

  @ResponseField({
    description: 'Its path, parameters in braces',
    example: '/v1/organisations/{organisationId}/users',
  })
  path!: string;

  @ResponseField({
    description: 'Its operation in the privilege table, empty where it asks for no credential',
    example: 'users.list',
  })
  operation!: string;

  @ResponseField({ description: 'Why it asks for no credential, empty where it asks for one', example: '' })
  publicBecause!: string;
}

export class ExplainedCredentialResponse {
  @ResponseField({
    description: 'What it is',
    enum: ['login', 'support_login', 'api_key', 'service_key'],
    example: 'api_key',
  })
  kind!: string;
  @ResponseField({ type: 'integer', description: 'Identifier of the login or key', example: 12 }) id!: number;
  @ResponseField({
    description:
      'Name of the key, reason of a support login, empty for another login; empty, as all but kind and identifier, ' +
      'for a service key that may not read it',
    example: 'Terraform',
  })
  name!: string;

  @ResponseField({
    type: ['string'],
    enum: ['EXPIRED', 'UNUSED_TOO_LONG', 'SUPPORT_ENDED'],
    description: 'Why it does not count by itself; empty where it does',
    example: [],
  })
  faults!: CredentialFault[];

  @ResponseField({ description: 'When it ends, in Unix seconds', example: '1798761600' }) dtExpires!: string;

  @ResponseField({
    description: 'When it was last used, in Unix seconds; empty where it never was',
    example: '1767229200',
  })
  dtLastUsed!: string;

  @ResponseField({ type: 'boolean', description: 'Whether it allows only GET and HEAD', example: false })
  readOnly!: boolean;

  @ResponseField({
    type: ['string'],
    description: 'The addresses that it accepts, empty for any',
    example: ['192.0.2.0/24'],
  })
  whitelist!: string[];
}

export class ExplainedUserResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the user', example: 7 }) id!: number;
  @ResponseField({
    description: 'User name; empty, as all but the identifier, for a service key that may not read users',
    example: 'jan@example.com',
  })
  username!: string;

  @ResponseField({ type: 'integer', description: 'The organisation of the user', example: 3 })
  organisationId!: number;

  @ResponseField({ type: ['string'], description: 'Its roles', example: ['ROLE_CUSTADMIN'] })
  roles!: string[];

  @ResponseField({
    type: ['string'],
    enum: ['USER_DISABLED', 'ORGANISATION_SUSPENDED'],
    description: 'Why none of its credentials counts; empty where they do',
    example: [],
  })
  standing!: Standing[];

  @ResponseField({
    description: 'State of the second factor; empty where the reader may not know it',
    enum: ['', 'disabled', 'requested', 'enabled'],
    example: 'disabled',
  })
  status2fa!: string;

  @ResponseField({
    type: 'boolean',
    description:
      'Whether the organisation demands a second factor: who has none is refused a new login then. A credential that ' +
      'is there goes on',
    example: false,
  })
  required2fa!: boolean;
}

export class TreeLinkResponse {
  @ResponseField({ description: 'By which link', enum: ['parent', 'reseller'], example: 'reseller' })
  kind!: string;
  @ResponseField({ type: 'integer', description: 'The organisation below', example: 9 })
  organisationId!: number;
  @ResponseField({ type: 'integer', description: 'The organisation above', example: 3 }) aboveId!: number;
}

class ExplainedGrantResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the grant', example: 21 }) id!: number;
  @ResponseField({ enum: ['read', 'manage'], description: 'What it was given for', example: 'manage' })
  access!: string;
  @ResponseField({ description: 'When it was given, in Unix seconds', example: '1767225600' })
  dtCreated!: string;
}

export class ExplainedRelationResponse {
  @ResponseField({ type: 'integer', description: 'The addressed organisation', example: 9 })
  organisationId!: number;
  @ResponseField({ type: 'boolean', description: "Whether it is the user's own", example: false })
  own!: boolean;
  @ResponseField({ type: 'boolean', description: "Whether it lies beneath the user's own", example: true })
  beneath!: boolean;

  @ResponseField({
    type: [TreeLinkResponse],
    description: "One way from it up to the user's own, where it lies beneath",
  })
  links!: TreeLinkResponse[];

  @ResponseField({
    type: 'boolean',
    description: 'Whether it gave a grant that the user uses',
    example: false,
  })
  granted!: boolean;

  @ResponseField({
    type: ExplainedGrantResponse,
    nullable: true,
    description: 'The grant, where there is one',
  })
  grant!: ExplainedGrantResponse | null;
}

/** A cell of the privilege table. Where it may be empty, an empty cell makes no difference. */
const Verdict = (of: string, example: string, mayBeEmpty = false): PropertyDecorator =>
  ResponseField({ enum: mayBeEmpty ? ['', ...VERDICTS] : VERDICTS, description: `Of ${of}`, example });

const EMPTY = 'empty where that makes no difference';

export class ExplainedPrivilegeResponse {
  @Verdict('ROLE_ADMIN, everywhere', 'allow') admin!: string;
  @Verdict('ROLE_CUSTADMIN in its own organisation, and where the path names none', 'allow')
  custadminOwn!: string;
  @Verdict('ROLE_CUSTADMIN in an organisation beneath its own', 'allow') custadminBeneath!: string;
  @Verdict(`ROLE_FINANCE in its own organisation, ${EMPTY}`, '', true) finance!: string;
  @Verdict('any other user of the organisation, and where the path names none', 'role') member!: string;
  @Verdict('users whose organisation was granted access', 'deny') granted!: string;
  @Verdict('users who manage the organisation by a grant', 'allow') grantedManage!: string;
  @Verdict(`the addressed user itself, ${EMPTY}`, '', true) self!: string;

  @ResponseField({
    enum: ['', 'deny'],
    description: '`deny` where no API key and no service key may do it, otherwise empty',
    example: '',
  })
  apiKey!: string;
}

export class ExplanationResponse {
  @ResponseField({
    description: '`allow`, `role` (500 `Insufficient role`), or the status of the refusal',
    enum: ['allow', 'role', '401', '403', '404', '405', '501'],
    example: '403',
  })
  verdict!: string;

  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the refusal; null where the request goes on',
    example: 403,
  })
  status!: number | null;

  @ResponseField({
    description: 'Reason of the refusal, empty where there is none',
    example: 'ACCESS_DENIED',
  })
  reason!: string;

  @ResponseField({
    description: 'Message of the refusal, empty where there is none',
    example: 'Access denied',
  })
  message!: string;

  @ResponseField({
    description:
      'The check that had the last word. They come in this order: `path` (is it served), `route` (does it ask for a ' +
      'credential), `credential`, `address` (whitelist), `target` (does what the path names exist), `method` (read-only ' +
      'key or support login), `privilege`',
    enum: ['path', 'route', 'credential', 'address', 'target', 'method', 'privilege'],
    example: 'privilege',
  })
  step!: string;

  @ResponseField({
    description:
      'What of the privilege table counted: a field of `privilege`, `adminAddressed`, `noRelation`, `operations` (of a service key) or `support` (of a support login); empty where an ' +
      'earlier check had the last word',
    example: 'noRelation',
  })
  decidedBy!: string;

  @ResponseField({
    description: 'Why, in words for people',
    example: 'Neither a role, nor a link of the tree, nor a grant leads the user to the organisation.',
  })
  because!: string;

  @ResponseField({
    type: ExplainedRouteResponse,
    nullable: true,
    description: 'The route that serves the request; null where none does',
  })
  route!: ExplainedRouteResponse | null;

  @ResponseField({
    type: ExplainedCredentialResponse,
    nullable: true,
    description: 'The credential; null where the user was given, and for one that is unknown',
  })
  credential!: ExplainedCredentialResponse | null;

  @ResponseField({
    type: ExplainedUserResponse,
    nullable: true,
    description: 'The user; null where the credential is unknown, and for a service key',
  })
  user!: ExplainedUserResponse | null;

  @ResponseField({
    type: ExplainedRelationResponse,
    nullable: true,
    description:
      'How the organisation of the user relates to the addressed one; null where none is addressed, and for a service ' +
      'key that may not read users',
  })
  relation!: ExplainedRelationResponse | null;

  @ResponseField({
    type: ExplainedPrivilegeResponse,
    nullable: true,
    description: 'The row of the privilege table; null where the route asks for no credential',
  })
  privilege!: ExplainedPrivilegeResponse | null;
}

/** Request and response of explanations, the same in both variants. The service makes the response itself. */
export class ExplanationsShapes {
  readonly request = explainAccessShape;
  readonly single = singleOf('explanation', ExplanationResponse, (made: ExplanationResponse) => made);
}
