import { createUserWithContactShape } from './create-user-with-contact.dto';

/** The request shape of registering somebody without an invitation; the response is that of a user. */
export class UserWithContactShapes {
  /** Body of `POST …/userandcontact`. */
  readonly create = createUserWithContactShape;
}
