import { measureBystander, measureRates, measureWaiting, measureWrites } from './events-deliveries.mjs';
import { measureFeed } from './events-feed.mjs';

export const measures = [measureWrites, measureRates, measureBystander, measureWaiting, measureFeed];
