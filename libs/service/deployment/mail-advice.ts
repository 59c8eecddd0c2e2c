/** What a mail server says, and what an operator does about it. The first that fits counts. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /EHLO|HELO|4\.7\.0 Try again later, closing/i,
    'the server refuses the name by which the service greets it: put ?name=mail.example.com behind SMTP_URL, a name of this service that DNS knows',
  ],
  [
    /\b53[045]\b|5\.7\.8|authenticat|credentials/i,
    'the server refuses the login: check user and password in SMTP_URL, and whether the server wants a password for programs',
  ],
  [
    /gr[ea]ylist|4\.2\.0|4\.7\.1|\b45[01] 4\.7/i,
    'the server delays senders that it does not know: the mails are tried again and leave by themselves; ask it to list this service',
  ],
  [
    /\b421\b|\b452\b|too many|\brate\b|limit|quota/i,
    'the server takes no more at this time: the mails are tried again; ask its operator for more connections or mails an hour',
  ],
  [
    /SPF|DKIM|DMARC|5\.7\.\d|sender|not owned|relay|MAIL FROM/i,
    'the server does not take mails of MAIL_FROM from this service: let it send for that address (SPF, DKIM, allowed senders), or set another MAIL_FROM',
  ],
  [
    /ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ECONNRESET|timeout/i,
    'the server cannot be reached: check host and port in SMTP_URL, and whether this network lets mail out (many close port 25)',
  ],
  [
    /certificate|CERT_|SELF_SIGNED|ALTNAME|SSL|TLS/i,
    'TLS with the server fails: check its certificate; NODE_EXTRA_CA_CERTS names a file of authorities',
  ],
];

/** What an operator does about the words of a mail server; undefined for words that say no more than no. */
export const adviceOnMail = (said: string): string | undefined =>
  ADVICE.find(([pattern]) => pattern.test(said))?.[1];
