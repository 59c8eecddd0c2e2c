import { registerEntityShape } from './register-entity.dto';

/** The request shapes of the register, the same in both variants. */
export class EntityRegisterShapes {
  /** Body of `PUT /entities/…`. */
  readonly register = registerEntityShape;
}
