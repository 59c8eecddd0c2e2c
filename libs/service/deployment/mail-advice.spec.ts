import { adviceOnMail } from './mail-advice';

/** What servers say (from reports of their users), and a word of what helps. */
it.each([
  ['421-4.7.0 Try again later, closing connection. (EHLO)', /\?name=/],
  ['501 5.5.2 <[127.0.0.1]>: Helo command rejected: invalid ip address', /\?name=/],
  ['Invalid login: 535 5.7.8 Error: authentication failed', /user and password/],
  ['450 4.7.1 <jan@example.nl>: Recipient address rejected: Greylisted', /tried again and leave/],
  ['421 4.7.0 mx.example Too many connections from your IP', /ask its operator/],
  ['452 4.5.3 too many recipients', /ask its operator/],
  [
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated (SPF, DKIM)',
    /MAIL_FROM|login/,
  ],
  ['553 5.7.1 <no-reply@x.example>: Sender address rejected: not owned by user', /MAIL_FROM/],
  ['554 5.7.1 Relay access denied', /MAIL_FROM/],
  ['connect ECONNREFUSED 10.0.0.1:25', /host and port/],
  ['self-signed certificate in certificate chain', /NODE_EXTRA_CA_CERTS/],
])('tells what to do about %s', (said, advice) => {
  expect(adviceOnMail(said)).toMatch(advice);
});

it('has no advice on words that it does not know', () => {
  expect(adviceOnMail('550 no')).toBeUndefined();
});
