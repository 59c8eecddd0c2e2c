import { moveTestClockShape } from './move-test-clock.dto';

/** The request shape of the test clock, the same in both variants. */
export class TestClockShapes {
  /** Body of POST. */
  readonly move = moveTestClockShape;
}
