/** Most price groups (counted by a trigger of the table). */
export const PRICE_GROUP_LIMIT = 500;
