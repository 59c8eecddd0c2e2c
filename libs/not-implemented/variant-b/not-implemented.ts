import { ApiError } from '@app/core/errors/api-error';

/** 501: the path belongs to an area of the panel that is not part of this service yet (decisions.md section 9). */
export class NotImplemented extends ApiError {
  constructor() {
    super(501, 'AREA_NOT_HERE', 'This area of the panel is not available');
  }
}
