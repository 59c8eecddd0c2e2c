import { IntegerField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';

/** Ten years: no lifetime that a setting takes is longer. */
const MAX_SECONDS = 3650 * 86_400;

/** Body of POST. */
class MoveTestClockDto {
  @IntegerField({ min: 1, max: MAX_SECONDS, required: true, description: 'How much time is to pass' })
  seconds!: number;
}

export const moveTestClockShape = createShape(MoveTestClockDto, ({ seconds }): { seconds: number } => ({
  seconds,
}));
