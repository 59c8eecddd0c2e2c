import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DEFAULT_LIMIT } from '@app/platform/lists/list-request';
import { Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/access.decorators';
import type { FeedPage } from './event.types';
import { EventReader } from './event-reader';

/** The validated parameters as text. */
type FeedParameters = Readonly<Record<'after' | 'limit' | 'beneath', string | undefined>>;

/** The feed of events of an organisation. */
@Injectable()
export class EventsService {
  constructor(
    private readonly reader: EventReader,
    private readonly paginator: Paginator,
    private readonly settings: Settings,
  ) {}

  /** For a service key that does not reach beneath, `beneath` adds nothing. */
  list(caller: Caller, organisationId: number, parameters: FeedParameters): Promise<FeedPage> {
    const { after = '0', limit = DEFAULT_LIMIT, beneath = 'false' } = parameters;
    const most = Number(limit) || this.settings.listLimitMax;
    return this.paginator.withListPermit(caller.client, () =>
      this.reader.feed(organisationId, {
        after: Number(after),
        limit: Math.min(most, this.settings.listLimitMax),
        beneath: caller.reachesBeneath && ['true', '1'].includes(beneath),
      }),
    );
  }
}
