/** Most teams of an organisation (decisions.md section 11, "Amounts"; counted by a trigger of the table). */
export const TEAM_LIMITS = { ofOrganisation: 200 } as const;
