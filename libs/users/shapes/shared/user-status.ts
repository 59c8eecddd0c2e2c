import type { Status } from '@app/core/status/status';
import type { UserDetails } from '../../user.types';

/** The status word of a user (decisions.md section 6). */
export const userStatus = (user: Pick<UserDetails, 'enabled'>): Status =>
  user.enabled ? 'ok' : 'deactivated';
