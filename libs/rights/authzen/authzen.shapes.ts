import { ResponseField, responseShape, RestrictedField } from '@app/platform/dto/shapes';
import { evaluationShape, evaluationsShape } from './authzen.dto';
import type { AuthzenDecision } from './authzen.types';

const BECAUSE = 'The user holds ROLE_CUSTADMIN in its own organisation: the column of those counts.';

class DecisionContext {
  @ResponseField({
    description: '`ALLOWED`, or a stable word for the refusal: that of the guard, or one of this interface',
    example: 'ALLOWED',
  })
  reason!: string;

  @ResponseField({ description: 'The same for people, as `explain` says it', example: BECAUSE })
  because!: string;
}

export class EvaluationResponse {
  @ResponseField({
    type: 'boolean',
    description: 'Whether the subject may do the action to the resource',
    example: true,
  })
  decision!: boolean;

  @ResponseField({ type: DecisionContext, description: 'Why it is so' }) context!: DecisionContext;
}

/** One question has `decision` and `context`; a list has only `evaluations`. */
export class EvaluationsResponse {
  @RestrictedField({
    type: 'boolean',
    description: 'Whether the subject may do the action to the resource',
    example: true,
  })
  decision?: boolean;

  @RestrictedField({ type: DecisionContext, description: 'Why it is so' }) context?: DecisionContext;

  @RestrictedField({
    type: [EvaluationResponse],
    description: 'The decisions in the order of the questions, up to the one that stops the batch',
  })
  evaluations?: EvaluationResponse[];
}

/** A URL of this service. */
const Url = (description: string, path = '') =>
  ResponseField({ format: 'uri', description, example: `https://account.example.com${path}` });

export class ConfigurationResponse {
  @Url('This service') policy_decision_point!: string;

  @Url('Where one question is asked', '/access/v1/evaluation') access_evaluation_endpoint!: string;

  @Url('Where many are asked', '/access/v1/evaluations') access_evaluations_endpoint!: string;
}

const evaluationOf = ({ isAllowed, reason, because }: AuthzenDecision): EvaluationResponse => ({
  decision: isAllowed,
  context: { reason, because },
});

/** Requests and responses of AuthZEN, equal in both variants. */
export class AuthzenShapes {
  readonly question = evaluationShape;
  readonly batch = evaluationsShape;

  readonly decision = responseShape(EvaluationResponse, evaluationOf);
  readonly decisions = responseShape(
    EvaluationsResponse,
    (found: AuthzenDecision | readonly AuthzenDecision[]): EvaluationsResponse =>
      'isAllowed' in found ? evaluationOf(found) : { evaluations: found.map(evaluationOf) },
  );
  readonly configuration = responseShape(ConfigurationResponse, (url: string): ConfigurationResponse => ({
    policy_decision_point: url,
    access_evaluation_endpoint: `${url}/access/v1/evaluation`,
    access_evaluations_endpoint: `${url}/access/v1/evaluations`,
  }));
}
