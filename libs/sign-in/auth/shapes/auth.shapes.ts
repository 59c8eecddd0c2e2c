import { type RequestShape, type ResponseShape, responseShape } from '@app/platform/dto/shapes';
import type { Unauthorised } from '@app/platform/errors/api-error';
import type { LoggedIn, LoginInput } from '../auth.types';
import { IdentityResponse, toIdentityResponse } from './shared/login-parts.response';

/** The request and response shapes of login, in the running variant. */
export abstract class AuthShapes {
  /** Body of `POST /login`. */
  abstract readonly login: RequestShape<LoginInput>;
  /** Response of every successful login. */
  abstract readonly loggedIn: ResponseShape<LoggedIn>;
  /** The 401 errors of a login without the second factor. */
  abstract readonly secondFactorRefusals: readonly Unauthorised[];
  /** Response of `GET /whoami`. */
  readonly identity = responseShape(IdentityResponse, toIdentityResponse);
}
