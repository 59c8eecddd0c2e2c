import { Injectable } from '@nestjs/common';
import type { MailLanguage } from '@app/mail/mail.types';
import type { RequestContext } from '@app/platform/context/request-context';

/** A login that the link of a notice ends. */
export interface LoginToEnd {
  readonly language: MailLanguage;
  readonly username: string;
  readonly at: Date;
  readonly address: string;
  readonly country: string;
  readonly system: string;
  readonly browser: string;
  readonly state: 'open' | 'ended';
}

/** Ends logins by the links of notices. */
@Injectable()
export class LoginEndings {
  /** Undefined for an unknown, used-up or expired token. */
  find(_token: string): Promise<LoginToEnd | undefined> {
    return Promise.resolve(undefined);
  }

  /** True if it ended the login now. */
  end(_token: string, _ctx?: RequestContext): Promise<boolean> {
    return Promise.resolve(false);
  }
}
