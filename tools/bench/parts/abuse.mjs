import { measureConnections } from './abuse-connections.mjs';
import { measureLatency } from './abuse-latency.mjs';
import { measureQuotas } from './abuse-quotas.mjs';

export const measures = [measureLatency, measureQuotas, measureConnections];
