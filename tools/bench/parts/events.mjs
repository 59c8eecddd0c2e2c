import { measureBystander, measureRates, measureWrites } from './events-deliveries.mjs';
import { measureFeed } from './events-feed.mjs';

export const measures = [measureWrites, measureRates, measureBystander, measureFeed];
