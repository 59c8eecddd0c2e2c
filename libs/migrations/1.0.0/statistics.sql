-- Tells the planner that the columns by which lists look up what belongs to each of their rows have a different value in
-- every second row. Where one organisation has nearly all of them (a large customer on a young service), it would otherwise
-- count few values, expect as many rows for every other organisation, and read the whole table for each row of a list.

ALTER TABLE users ALTER COLUMN organisation_id SET (n_distinct = -0.5);
ALTER TABLE invitations ALTER COLUMN organisation_id SET (n_distinct = -0.5);
ALTER TABLE team_members ALTER COLUMN team_id SET (n_distinct = -0.5);
ALTER TABLE team_entities ALTER COLUMN team_id SET (n_distinct = -0.5);
ALTER TABLE notification_recipients ALTER COLUMN notification_id SET (n_distinct = -0.5);
