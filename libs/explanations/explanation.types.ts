import type { DecidedBy, OrganisationRelation } from '@app/core/access/decide';
import type { Privilege } from '@app/core/access/privileges';
import type { AccessStep } from '@app/access/access-evaluation';
import type { AnswerReason } from '@app/core/errors/reasons';

/** A request that somebody wants explained, with who would make it: a user by its id, or whoever has a credential. */
export interface ExplanationRequest {
  readonly method: string;
  readonly path: string;
  readonly userId: number | undefined;
  /** Never kept, never logged. */
  readonly hash: string | undefined;
  /** Canonical text; undefined: from an address that the key accepts. */
  readonly address: string | undefined;
}

/** Why none of a user's credentials counts. */
export type Standing = 'USER_DISABLED' | 'ORGANISATION_SUSPENDED';

/** Why a credential does not count by itself. */
export type CredentialFault = 'EXPIRED' | 'UNUSED_TOO_LONG';

/** What is known of a credential. */
export interface ExplainedCredential {
  readonly kind: 'login' | 'api_key';
  readonly id: number;
  /** Of an API key; empty for a login. */
  readonly name: string;
  readonly faults: readonly CredentialFault[];
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Unix seconds; null for a key that was never used. */
  readonly lastUsedAt: number | null;
  readonly readOnly: boolean;
  readonly whitelist: readonly string[];
}

/** Who would make the request. */
export interface ExplainedUser {
  readonly id: number;
  readonly username: string;
  readonly organisationId: number;
  readonly roles: readonly string[];
  readonly standing: readonly Standing[];
  readonly secondFactor: string;
  /** Whether the organisation demands a second factor at login. */
  readonly secondFactorDemanded: boolean;
}

/** A link of the tree, from an organisation to the one above it. */
export interface TreeLink {
  readonly kind: 'parent' | 'reseller';
  readonly organisationId: number;
  readonly aboveId: number;
}

/** A grant by which the organisation of a user reads another. */
export interface ExplainedGrant {
  /** Unix seconds. */
  readonly createdAt: number;
}

/** How the organisation of the user relates to the addressed one, and what makes it so. */
export interface ExplainedRelation extends OrganisationRelation {
  readonly organisationId: number;
  readonly links: readonly TreeLink[];
  readonly grant: ExplainedGrant | undefined;
}

/** The route that would serve the request. */
export interface ExplainedRoute {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Empty for a public route. */
  readonly operation: string;
  /** Why it asks for no credential; empty where it asks for one. */
  readonly publicBecause: string;
}

/** The check that had the last word: the guard's own, and those that stand before it. */
export type ExplainedStep = 'path' | 'route' | AccessStep;

/** What a request would meet, and why. */
export interface Explanation {
  readonly verdict: string;
  /** HTTP status of the refusal; null where the guard lets it go on. */
  readonly status: number | null;
  readonly reason: AnswerReason | '';
  readonly message: string;
  readonly step: ExplainedStep;
  readonly decidedBy: DecidedBy | '';
  readonly because: string;
  readonly route: ExplainedRoute | undefined;
  readonly credential: ExplainedCredential | undefined;
  readonly user: ExplainedUser | undefined;
  readonly relation: ExplainedRelation | undefined;
  readonly privilege: Privilege | undefined;
}
