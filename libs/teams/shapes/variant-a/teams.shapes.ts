import { teamListShape } from '../team-replies';
import { TeamsShapes } from '../teams.shapes';

/** Teams in Variant A. */
export class TeamsShapesA extends TeamsShapes {
  readonly list = teamListShape({ tag: true });
}
