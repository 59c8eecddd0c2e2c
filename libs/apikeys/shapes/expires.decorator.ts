import { TimestampField } from '@app/core/wire/timestamp-field.decorator';

/** When a new key ends. That it is neither over nor too far away is judged where it is stored, by that clock. */
export const ExpiresField = (description: string): PropertyDecorator => TimestampField({ description });
