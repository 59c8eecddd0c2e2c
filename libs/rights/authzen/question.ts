import type { FieldError } from '@app/platform/errors/api-error';
import type { MalformedQuestion, Named, Question } from './authzen.types';
import { type Body, faultsOfPart, isObject, memberOf } from './body-parts';

/** The parts of a question with their members. */
const PARTS = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'] } as const;

/** The parts of a complete question. */
interface Parts {
  readonly subject: Named;
  readonly action: { readonly name: string };
  readonly resource: Named;
}

/** Fills in the defaults of the batch. A part of the question replaces the whole default part. */
const completed = (element: Body, defaults: Body): Body =>
  Object.fromEntries(
    Object.keys(PARTS).map((part) => [part, memberOf(element, part) ?? memberOf(defaults, part)]),
  );

export function questionIn(parts: Body): Question | Readonly<Record<string, readonly FieldError[]>> {
  const faulty = Object.entries(PARTS)
    .map(([part, keys]) => [part, faultsOfPart(part, keys, parts[part])] as const)
    .filter(([, faults]) => faults.length > 0);
  if (faulty.length > 0) return Object.fromEntries(faulty);
  const { subject, action, resource } = parts as unknown as Parts;
  return { subject: named(subject), action: action.name, resource: named(resource) };
}

export const named = ({ type, id }: Named): Named => ({ type, id });

export const isQuestion = (value: object): value is Question =>
  typeof (value as Question).action === 'string';

export function questionOrFault(element: unknown, defaults: Body): Question | MalformedQuestion {
  if (!isObject(element)) return { fault: 'The evaluation should be an object.' };
  const question = questionIn(completed(element, defaults));
  if (isQuestion(question)) return question;
  const texts = Object.values(question).flatMap((faults) => faults.map(({ message }) => message));
  return { fault: texts.join(' ') };
}
