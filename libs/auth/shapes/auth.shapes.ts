import { responseShape, type RequestShape, type ResponseShape } from '@app/core/wire/shapes';
import type { SecondFactorMissing } from '@app/users/credentials.errors';
import type { LoggedIn, LoginInput } from '../auth.types';
import { IdentityResponse, toIdentityResponse } from './shared/identity.response';

/** The request and response shapes of login, in the running variant. */
export abstract class AuthShapes {
  /** Body of `POST /login`. */
  abstract readonly login: RequestShape<LoginInput>;
  /** Response of every successful login. */
  abstract readonly loggedIn: ResponseShape<LoggedIn>;
  /** What a login is refused with for want of the second factor. */
  abstract readonly secondFactorRefusals: readonly SecondFactorMissing[];
  /** Response of `GET /whoami`. */
  readonly identity = responseShape(IdentityResponse, toIdentityResponse);
}
