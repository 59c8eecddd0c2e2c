import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DEFAULT_LIMIT } from '@app/platform/lists/list-request';
import { Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { FeedPage } from './event.types';
import { EventReader } from './event-reader';

/** Which events a program asks for. */
interface FeedRequest {
  /** Only later events. Absent: from the oldest. */
  readonly after: number | undefined;
  /** 0: as many as allowed. */
  readonly limit: number | undefined;
  readonly beneath: boolean | undefined;
}

/** The feed of events of an organisation. */
@Injectable()
export class EventsService {
  constructor(
    private readonly reader: EventReader,
    private readonly paginator: Paginator,
    private readonly settings: Settings,
  ) {}

  /** For a service key that does not reach beneath, `beneath` adds nothing. */
  list(caller: Caller, organisationId: number, request: FeedRequest): Promise<FeedPage> {
    const { after = 0, limit = DEFAULT_LIMIT, beneath = false } = request;
    const most = limit === 0 ? this.settings.listLimitMax : limit;
    return this.paginator.withListPermit(caller.client, () =>
      this.reader.feed(organisationId, {
        after,
        limit: Math.min(most, this.settings.listLimitMax),
        beneath: beneath && caller.reachesBeneath,
      }),
    );
  }
}
