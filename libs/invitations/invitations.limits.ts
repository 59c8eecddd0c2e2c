/** Most open invitations of an organisation (decisions.md section 11, "Amounts"; counted by triggers of the table). */
export const INVITATION_LIMITS = { ofOrganisation: 1000 } as const;
