import { createMigratedUserShape } from './create-migrated-user.dto';
import { updateMigratedUserShape } from './update-migrated-user.dto';

/** The request shapes of migrated users; the response is that of a user. */
export class MigratedUsersShapes {
  /** Body of `POST …/users`. */
  readonly create = createMigratedUserShape;
  /** Body of `PATCH …/cp3/users/{userId}`. */
  readonly update = updateMigratedUserShape;
}
