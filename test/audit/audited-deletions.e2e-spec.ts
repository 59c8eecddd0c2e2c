import { makeCustomer } from '../support/factories/factories';
import { useSharedService } from '../support/service/shared-services';

const MEMBERS = 300;
const ENTITIES = 50;

/** Counts the statements that write the log: each looks for the audience of its rows. */
const COUNT_STATEMENTS = [
  'CREATE TABLE counted_statements (table_names text[])',
  `CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO public.counted_statements SELECT array_agg(DISTINCT table_name) FROM inserted;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER counted AFTER INSERT ON audit_log REFERENCING NEW TABLE AS inserted
   FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`,
];

describe('DELETE …/teams of a large team', () => {
  const service = useSharedService('A');

  it('is written to the audit log in one statement for each table, with a row for each member and entity', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    await service.sql`
      INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
      SELECT ${organisationId}, 'member' || n || '@example.com', 'a', 'b', '' FROM generate_series(1, ${MEMBERS}::integer) n`;
    const { body } = await custadmin.client
      .post(`/organisations/${organisationId}/teams`, { name: 'Night shift' })
      .expect(201);
    const { id } = (body as { team: { id: number } }).team;
    await service.sql`INSERT INTO team_members (team_id, user_id)
      SELECT ${id}, id FROM users WHERE username LIKE 'member%'`;
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id)
      SELECT ${id}, 'apps', n FROM generate_series(1, ${ENTITIES}::integer) n`;
    const [{ last }] = (await service.sql<{ last: number }>`
      SELECT max(id)::integer AS last FROM audit_log`) as [{ last: number }];
    const members = await service.sql`
      SELECT m.id, jsonb_build_object('id', m.id, 'team_id', m.team_id, 'user_id', m.user_id) AS before
      FROM team_members m WHERE team_id = ${id} ORDER BY id`;
    for (const statement of COUNT_STATEMENTS) await service.sql(statement);
    await custadmin.client.delete(`/organisations/${organisationId}/teams/${id}`).expect(204);
    expect(await service.sql`SELECT table_names AS tables FROM counted_statements ORDER BY 1`).toEqual([
      { tables: ['team_entities'] },
      { tables: ['team_members'] },
      { tables: ['teams'] },
    ]);
    const written = await service.sql`
      SELECT record_id AS id, before FROM audit_log
      WHERE id > ${last} AND table_name = 'team_members' AND action = 'delete' AND after IS NULL
        AND actor_user_id = ${custadmin.id} AND organisation_id = ${organisationId}
        AND actor_credential_kind = 'login' AND request_id IS NOT NULL
      ORDER BY record_id`;
    expect(written).toHaveLength(MEMBERS);
    expect(written).toEqual(members);
    const entities = await service.sql`
      SELECT count(*)::integer AS rows, count(DISTINCT before ->> 'object_id')::integer AS objects FROM audit_log
      WHERE id > ${last} AND table_name = 'team_entities' AND action = 'delete' AND before ->> 'kind' = 'apps'`;
    expect(entities).toEqual([{ rows: ENTITIES, objects: ENTITIES }]);
  });
});
