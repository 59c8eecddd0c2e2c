/**
 * A rule that a service decides by a value which each variant binds. docs/variants.md is made from the
 * shapes; where they do not show the rule, it has the words from here.
 */
export interface RuleOfOneVariant {
  /** The bound class by which the service decides, of shapes with the member. */
  readonly decidedBy: readonly string[];
  /** What is otherwise in Variant A, for a program that moves to it. */
  readonly words: string;
  /** The routes, as docs/variants.md writes them. None if their shapes show the rule. */
  readonly operations: readonly string[];
  /** Whether Variant A only allows more, so that the program need not change. */
  readonly allowsMore?: true;
}

export const RULES_OF_ONE_VARIANT: readonly RuleOfOneVariant[] = [
  {
    decidedBy: ['ListConventions'],
    words: 'Lists take `tag` in Variant A.',
    operations: [],
  },
  {
    decidedBy: ['PasswordRules'],
    words: 'A new password has at least 8 characters, a digit and a special character in Variant A.',
    operations: [],
  },
  {
    decidedBy: ['LinkedKinds'],
    words:
      'The mail about a document links to the PDF and the XML file where this service has no pages (`PAGES=off`); ' +
      'in Variant B to the PDF alone.',
    operations: ['POST /organisations/{organisationId}/documents/{documentId}/send'],
    allowsMore: true,
  },
  {
    decidedBy: ['SecondFactorStep', 'AuthShapes.secondFactorRefusals'],
    words:
      'Variant A asks for the code of a second factor and takes it; Variant B refuses a user who has one, or whose ' +
      'organisation demands one, with 401 `2FA is required`.',
    operations: ['POST /login'],
    allowsMore: true,
  },
  {
    decidedBy: ['OrganisationsShapes.usersShownTo'],
    words: 'The users of an organisation are shown to admins alone in Variant A.',
    operations: [],
  },
  {
    decidedBy: ['UsersShapes.newNameRules'],
    words:
      'A new user name is an e-mail address in Variant A: another one is 400. The present name stays as it is.',
    operations: [],
  },
];
