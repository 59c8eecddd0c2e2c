import { fault, ValidationFailed } from '@app/platform/errors/api-error';

/** A page hides what is typed: typed twice, it is what the person meant. The interface asks for it once. */
export function assertRepeated(password: unknown, repeated: unknown): void {
  if (repeated !== password)
    throw ValidationFailed.on('repeated', fault('MISMATCH', 'The two passwords differ.'));
}
