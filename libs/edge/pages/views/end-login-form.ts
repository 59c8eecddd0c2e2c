import type { LoginToEnd } from '@app/sign-in/login-notices/login-endings';
import { dateIn } from '@app/mail/mail-values';
import { html } from '../html';
import type { PageTexts } from '../page-texts';
import { factList, layout, type PageContext } from './layout';

/** The page of a login that can be ended. */
export function endLoginForm(
  context: PageContext,
  { labels, endLogin }: PageTexts,
  login: LoginToEnd,
): string {
  const facts = factList([
    [labels.username, login.username],
    [labels.time, dateIn(login.language, login.at, context.sender.timeZone)],
    [labels.address, login.address],
    [labels.country, login.country],
    [labels.system, login.system],
    [labels.browser, login.browser],
  ]);
  return layout(
    context,
    endLogin.title,
    html`<p>${endLogin.intro}</p>
      ${facts}
      <form method="post">
        <button type="submit">${endLogin.submit}</button>
      </form>`,
  );
}
