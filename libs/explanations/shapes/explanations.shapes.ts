import { responseShape } from '@app/core/wire/shapes';
import type { Explanation } from '../explanation.types';
import { explainAccessShape } from './explain-access.dto';
import { SingleExplanationResponse, toExplanationResponse } from './explanation.response';

/** The shapes of explanations, which both variants have alike. */
export class ExplanationsShapes {
  /** Body of POST. */
  readonly request = explainAccessShape;
  /** Response of POST. */
  readonly single = responseShape(SingleExplanationResponse, (explanation: Explanation) => ({
    explanation: toExplanationResponse(explanation),
  }));
}
