import { softLoginShape } from './soft-login.dto';

/** The request shape of softlogin; the response is that of a login. */
export class SoftLoginShapes {
  /** Body of `POST /softlogin`. */
  readonly login = softLoginShape;
}
