import { IntegerField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';

/** Ten years, the longest lifetime in any setting. */
const MAX_SECONDS = 3650 * 86_400;

/** Body of POST. */
class MoveTestClockDto {
  @IntegerField({ min: 1, max: MAX_SECONDS, required: true, description: 'How much time is to pass' })
  seconds!: number;
}

const moveTestClockShape = createShape(MoveTestClockDto, ({ seconds }): { seconds: number } => ({ seconds }));

export class TestClockShapes {
  readonly move = moveTestClockShape;
}
