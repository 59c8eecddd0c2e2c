import type { ReachableService } from '../service/service';

/** Statements that fail, for as long as it is in use. */
export interface Refusals extends AsyncDisposable {
  /** Tries so far, with those that did not fail. */
  tries(): Promise<number>;
}

/**
 * Makes the first so many statements of a kind (`UPDATE ON users`) fail with a SQLSTATE, as when the database
 * goes away under them (57P01) or ends a deadlock (40P01).
 */
export async function refuseFirst(
  { sql }: ReachableService,
  count: number,
  event: string,
  state = '57P01',
): Promise<Refusals> {
  await sql('CREATE SEQUENCE refusals');
  await sql(`CREATE FUNCTION refuse_first() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('public.refusals') <= ${count} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '${state}'; END IF;
      RETURN NULL;
    END $$`);
  await sql(`CREATE TRIGGER refuse_first BEFORE ${event} FOR EACH STATEMENT EXECUTE FUNCTION refuse_first()`);
  return {
    tries: async () => {
      const [row] = await sql<{ tries: number }>('SELECT last_value::integer AS tries FROM refusals');
      return row?.tries ?? 0;
    },
    [Symbol.asyncDispose]: async () => {
      await sql('DROP FUNCTION refuse_first CASCADE');
      await sql('DROP SEQUENCE refusals');
    },
  };
}
