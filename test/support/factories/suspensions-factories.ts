import type { ApiClient } from '../service/client';

/** Body of `…/actions`. */
interface ActionBody {
  readonly type: 'enable' | 'disable';
  readonly reason?: string;
  readonly withSubOrganisations?: boolean;
}

/** One suspension as `…/actions` answers it. */
interface ShownSuspension {
  readonly organisation: { readonly id: number; readonly name: string } | null;
  readonly itself: boolean;
  readonly withSubOrganisations: boolean;
  readonly reason: string;
  readonly since: string;
  readonly by: { readonly id: number; readonly fullname: string } | null;
}

interface ShownState {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly suspensions: readonly ShownSuspension[];
}

const stateIn = ({ body }: { body: unknown }): ShownState => (body as { state: ShownState }).state;

/** Disables or enables an organisation and gives its state as it is answered. */
const act = async (client: ApiClient, organisationId: number, body: ActionBody): Promise<ShownState> =>
  stateIn(await client.post(`/organisations/${organisationId}/actions`, body).expect(200));

export const suspend = (
  client: ApiClient,
  organisationId: number,
  options: Omit<ActionBody, 'type'> = {},
): Promise<ShownState> => act(client, organisationId, { type: 'disable', ...options });

export const enable = (
  client: ApiClient,
  organisationId: number,
  options: Omit<ActionBody, 'type'> = {},
): Promise<ShownState> => act(client, organisationId, { type: 'enable', ...options });

export const stateOf = async (client: ApiClient, organisationId: number): Promise<ShownState> =>
  stateIn(await client.get(`/organisations/${organisationId}/actions`).expect(200));
