import { ArrayMaxSize, IsArray, IsObject } from 'class-validator';
import { field } from '@app/platform/dto/field.decorators';
import { refusing, refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { createShape, type RequestShape } from '@app/platform/dto/shapes';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import {
  type Evaluations,
  MAX_QUESTIONS,
  type Named,
  type Question,
  type Semantic,
  SEMANTICS,
} from './authzen.types';
import { ANYTHING, type Body, ContextField, memberOf, PartField, undefinedIfBlank } from './body-parts';
import { isQuestion, named, questionIn, questionOrFault } from './question';

const SUBJECT = { type: 'user', id: '7' };
const ACTION = { name: 'invitations.create' };
const RESOURCE = { type: 'organisation', id: '12' };

/** The parts of a question. In a batch they may be missing. */
const SubjectField = (description: string, required = true): PropertyDecorator =>
  PartField('subject', ['type', 'id'], { required, description, example: SUBJECT });
const ActionField = (description: string, required = true): PropertyDecorator =>
  PartField('action', ['name'], { required, description, example: ACTION });
const ResourceField = (description: string, required = true): PropertyDecorator =>
  PartField('resource', ['type', 'id'], { required, description, example: RESOURCE });

/** Body of an evaluation. */
class EvaluationDto {
  @SubjectField('Who asks for it: `user` or `service_key`') subject!: Named;
  @ActionField('What it would do') action!: { name: string };
  @ResourceField('What it would do it to') resource!: Named;
  @ContextField() context?: Body;
}

const DEFAULT = 'for the questions that lack it';

const NO_LIST = fieldError('WRONG_TYPE', 'evaluations should be a list.');
const TOO_MANY = fieldError('TOO_LONG', `evaluations should have ${MAX_QUESTIONS} items or less.`);
const NO_OPTIONS = fieldError('WRONG_TYPE', 'options should be an object.');
const NO_SEMANTIC = fieldError(
  'NOT_A_CHOICE',
  `options.evaluations_semantic should be one of ${SEMANTICS.join(', ')}.`,
);

const semanticIn = (options: unknown): unknown => memberOf(options, 'evaluations_semantic') ?? SEMANTICS[0];

const hasSemantic = (options: unknown): boolean =>
  (SEMANTICS as readonly unknown[]).includes(semanticIn(options));

/** Body of a batch. */
class EvaluationsDto {
  @SubjectField(`The subject ${DEFAULT}`, false) subject?: Body;
  @ActionField(`The action ${DEFAULT}`, false) action?: Body;
  @ResourceField(`The resource ${DEFAULT}`, false) resource?: Body;
  @ContextField() context?: Body;

  @field(
    {
      description: `The questions, at most ${MAX_QUESTIONS}; none or an empty list: the body is one question`,
      example: [{ resource: RESOURCE }],
    },
    {
      emptyIsAbsent: false,
      coerce: undefinedIfBlank,
      documentation: { type: 'array', items: ANYTHING },
      checks: [IsArray(refusingAtOnce(NO_LIST)), ArrayMaxSize(MAX_QUESTIONS, refusing(TOO_MANY))],
    },
  )
  evaluations?: unknown[];

  @field(
    { description: 'When the batch stops', example: { evaluations_semantic: 'execute_all' } },
    {
      emptyIsAbsent: false,
      coerce: undefinedIfBlank,
      documentation: {
        type: 'object',
        properties: {
          evaluations_semantic: {
            type: 'string',
            enum: [...SEMANTICS],
            description: 'After the first false one, after the first true one, or, the default, never',
          },
        },
      },
      checks: [
        IsObject(refusingAtOnce(NO_OPTIONS)),
        Satisfies('hasSemantic', hasSemantic, refusing(NO_SEMANTIC)),
      ],
    },
  )
  options?: Body;
}

/** The standard requires that unknown members are ignored. */
const TOLERANT = { ignoresUnknown: true };

export const evaluationShape = createShape(
  EvaluationDto,
  (dto): Question => ({
    subject: named(dto.subject),
    action: dto.action.name,
    resource: named(dto.resource),
  }),
  TOLERANT,
);

export const evaluationsShape: RequestShape<Evaluations> = {
  body: EvaluationsDto,
  nulls: 'absent',
  ignoresUnknown: true,
  toInput: (dto) => {
    const { subject, action, resource, evaluations = [], options } = dto as EvaluationsDto;
    const defaults = { subject, action, resource };
    if (evaluations.length > 0) {
      const questions = evaluations.map((element) => questionOrFault(element, defaults));
      return { questions, semantic: semanticIn(options) as Semantic };
    }
    const question = questionIn(defaults);
    if (!isQuestion(question)) throw new ValidationFailed(question);
    return { single: question };
  },
};
