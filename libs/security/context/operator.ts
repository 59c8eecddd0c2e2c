/** Id of the operator organisation, the root of the tree. */
export const OPERATOR_ORGANISATION = 1;
