/** Most contacts of one owner (decisions.md section 11, "Amounts"; counted by triggers of the table). */
export const CONTACT_LIMITS = { ofUser: 50, ofOrganisation: 50 } as const;
