import { responseShape, ResponseField, RestrictedField } from '@app/platform/dto/shapes';
import {
  actionSearchShape,
  evaluationShape,
  evaluationsShape,
  resourceSearchShape,
  subjectSearchShape,
} from './authzen.dto';
import type { AuthzenDecision, Found, Named } from './authzen.types';

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

class FoundPage {
  @ResponseField({ description: 'Where the next page begins; empty on the last', example: '' })
  next_token!: string;
  @ResponseField({ type: 'integer', description: 'Number of results of this page', example: 1 })
  count!: number;
}

class EntityResponse {
  @ResponseField({ description: 'Its type', example: 'user' }) type!: string;
  @ResponseField({ description: 'Its identifier', example: '7' }) id!: string;
}

class ActionResponse {
  @ResponseField({ description: 'Its name', example: 'invitations.create' }) name!: string;
}

class EntitiesResponse {
  @ResponseField({ type: FoundPage, description: 'How the results go on' }) page!: FoundPage;
  @ResponseField({ type: [EntityResponse], description: 'What was found' }) results!: EntityResponse[];
}

class ActionsResponse {
  @ResponseField({ type: FoundPage, description: 'How the results go on' }) page!: FoundPage;
  @ResponseField({ type: [ActionResponse], description: 'What was found' }) results!: ActionResponse[];
}

/** A URL of this service. */
const Url = (description: string, path = '') =>
  ResponseField({ format: 'uri', description, example: `https://account.example.com${path}` });

export class ConfigurationResponse {
  @Url('This service') policy_decision_point!: string;

  @Url('Where one question is asked', '/access/v1/evaluation') access_evaluation_endpoint!: string;

  @Url('Where many are asked', '/access/v1/evaluations') access_evaluations_endpoint!: string;

  @Url('Where subjects are searched', '/access/v1/search/subject') search_subject_endpoint!: string;

  @Url('Where resources are searched', '/access/v1/search/resource') search_resource_endpoint!: string;

  @Url('Where actions are searched', '/access/v1/search/action') search_action_endpoint!: string;
}

const evaluationOf = ({ isAllowed, reason, because }: AuthzenDecision): EvaluationResponse => ({
  decision: isAllowed,
  context: { reason, because },
});

const pageOf = ({ nextToken, results }: Found<unknown>): FoundPage => ({
  next_token: nextToken,
  count: results.length,
});

/** Requests and responses of AuthZEN, equal in both variants. */
export class AuthzenShapes {
  readonly question = evaluationShape;
  readonly batch = evaluationsShape;
  readonly subjectSearch = subjectSearchShape;
  readonly resourceSearch = resourceSearchShape;
  readonly actionSearch = actionSearchShape;

  readonly decision = responseShape(EvaluationResponse, evaluationOf);
  readonly decisions = responseShape(
    EvaluationsResponse,
    (found: AuthzenDecision | readonly AuthzenDecision[]): EvaluationsResponse =>
      'isAllowed' in found ? evaluationOf(found) : { evaluations: found.map(evaluationOf) },
  );
  readonly entities = responseShape(EntitiesResponse, (found: Found<Named>): EntitiesResponse => ({
    page: pageOf(found),
    results: found.results.map(({ type, id }) => ({ type, id })),
  }));
  readonly actions = responseShape(
    ActionsResponse,
    (found: Found<{ readonly name: string }>): ActionsResponse => ({
      page: pageOf(found),
      results: found.results.map(({ name }) => ({ name })),
    }),
  );
  readonly configuration = responseShape(ConfigurationResponse, (url: string): ConfigurationResponse => ({
    policy_decision_point: url,
    access_evaluation_endpoint: `${url}/access/v1/evaluation`,
    access_evaluations_endpoint: `${url}/access/v1/evaluations`,
    search_subject_endpoint: `${url}/access/v1/search/subject`,
    search_resource_endpoint: `${url}/access/v1/search/resource`,
    search_action_endpoint: `${url}/access/v1/search/action`,
  }));
}
