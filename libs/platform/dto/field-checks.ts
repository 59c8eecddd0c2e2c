import { ValidateBy, type ValidationError, type ValidationOptions } from 'class-validator';
import { type FieldError, fieldError } from '../errors/api-error';
import type { FieldErrorReason } from '../errors/reasons';

/** The `context` of every check of a field. The check itself has the sentence. */
interface CheckContext {
  /** The word beside the sentence. */
  readonly reason?: FieldErrorReason;
  /** The errors of a refused value, if they depend on it. They take the place of sentence and word. */
  readonly faultsOf?: (value: unknown) => readonly FieldError[];
  /** Whether the field has no further errors where this check fails. */
  readonly isFinal?: boolean;
}

/** Makes a check of class-validator answer with this error. */
export const refusing = ({ reason, message }: FieldError): ValidationOptions => ({
  message,
  context: { reason } satisfies CheckContext,
});

/** Like {@link refusing}, for a fault beside which the following checks say nothing. */
export const refusingAtOnce = ({ reason, message }: FieldError): ValidationOptions => ({
  message,
  context: { reason, isFinal: true } satisfies CheckContext,
});

/** A check of our own. `name` tells it from the other checks of the field. */
export const Satisfies = (
  name: string,
  isValid: (value: unknown) => boolean,
  options: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate: isValid } }, options);

/**
 * A check whose errors depend on the value: a list has one for each wrong item. Only for a refused value are
 * they asked for again, to be shown.
 */
export const HasNoFaults = (
  name: string,
  faultsOf: (value: unknown) => readonly FieldError[],
): PropertyDecorator =>
  Satisfies(name, (value) => faultsOf(value).length === 0, {
    message: name,
    context: { faultsOf } satisfies CheckContext,
  });

/** Whether a field is absent or null, in a body that must not leave it so. */
export const isMissing = ({ constraints = {} }: ValidationError): boolean =>
  'isDefined' in constraints || 'isNotNull' in constraints;

/** The errors of a field in the order of its checks, each once: items of a list may have the same. */
export function faultsIn({ constraints = {}, contexts = {}, value }: ValidationError): readonly FieldError[] {
  const faults = new Map<string, FieldError>();
  for (const [name, message] of Object.entries(constraints)) {
    const { reason, faultsOf, isFinal = false } = (contexts[name] ?? {}) as CheckContext;
    if (reason === undefined && faultsOf === undefined) throw new Error(`The check ${name} has no reason`);
    const found = reason === undefined ? (faultsOf?.(value) ?? []) : [fieldError(reason, message)];
    for (const fault of found) if (!faults.has(fault.message)) faults.set(fault.message, fault);
    if (isFinal) break;
  }
  return [...faults.values()];
}
