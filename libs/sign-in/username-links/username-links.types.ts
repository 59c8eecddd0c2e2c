import type { Language } from '@app/people/users/user.types';
import { BadRequest, NotFound } from '@app/platform/errors/api-error';

/** Body of `POST /usernames/{token}`. */
export interface UsernameLinkInput {
  readonly password: string;
}

/** A link that verifies a name, for its page. */
export interface OpenUsernameLink {
  readonly username: string;
  readonly language: Language;
}

/** 404: the token is unknown. */
export const unknownUsernameLink = (): NotFound => new NotFound('Link');

/** 400: the link was used, is too old, or was ended by another name of the user. */
export const usernameLinkEnded = (): BadRequest =>
  new BadRequest('The link is not valid any more', 'NAME_LINK_ENDED');
