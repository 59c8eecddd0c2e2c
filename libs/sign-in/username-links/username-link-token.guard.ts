import { Injectable } from '@nestjs/common';
import { prepared } from '@app/platform/database/pg-reads/database-reads';
import { type LinkState, linksThat, LinkTokenGuard } from '../recovery/link-token.guard';
import { unknownUsernameLink, usernameLinkEnded } from './username-links.types';

const STATE = prepared<LinkState>(linksThat(`r.kind = 'name'`));

/** Checks the token of a link that verifies a user name. */
@Injectable()
export class UsernameLinkTokenGuard extends LinkTokenGuard {
  protected readonly state = STATE;
  protected readonly credential = 'username_link';
  protected readonly unknown = unknownUsernameLink;
  protected readonly ended = usernameLinkEnded;
}
