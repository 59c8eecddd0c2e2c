import { teamListShape } from '../team-replies';
import { TeamsShapes } from '../teams.shapes';

/** Teams in Variant B. */
export class TeamsShapesB extends TeamsShapes {
  readonly list = teamListShape({ tag: false });
}
