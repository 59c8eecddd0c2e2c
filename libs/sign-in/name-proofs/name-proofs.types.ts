import type { Language } from '@app/people/users/user.types';
import { BadRequest, NotFound } from '@app/platform/errors/api-error';

/** Body of `POST /usernames/{token}`. */
export interface NameProofInput {
  readonly password: string;
}

/** A link that proves a name, for its page. */
export interface OpenNameProof {
  readonly username: string;
  readonly language: Language;
}

/** Seconds in which a link proves a name (rule recovery 76): 72 hours. */
export const NAME_PROOF_TTL = 259_200;

/**
 * Most links to prove a name: of an address and organisation in 24 hours, of a user and of an
 * organisation in a day, UTC.
 */
export const MOST_NAME_PROOFS = { ofAddress: 1, ofUser: 5, ofOrganisation: 50 } as const;

/** 404: the token is unknown. */
export const unknownNameProof = (): NotFound => new NotFound('Link');

/** 400: the link was used, is too old, or was ended by another name of the user. */
export const nameProofEnded = (): BadRequest =>
  new BadRequest('The link is not valid any more', 'NAME_LINK_ENDED');
