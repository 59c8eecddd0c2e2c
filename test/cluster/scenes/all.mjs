// Every scene: what it is called, what it does, how often, and whether the short form plays it.
import { etcdAway, freeze, freezeStandby, kill, switchover } from './database-faults.mjs';
import { fullDisk } from './full-disk.mjs';
import { sessionPooler, startAtOnce, transactionPooler } from './poolers.mjs';
import { mailAway, mailAwayForAnHour } from './mail-faults.mjs';
import { rollingRestart } from './rolling-restart.mjs';
import { idleConnections, killNodes, wrongClocks } from './service-faults.mjs';

/**
 * `short`: how often in the short form; none where it takes too long for that. `isAskedFor`: only played where `--only`
 * names it.
 */
export const SCENES = [
  {
    name: 'rolling-restart',
    title: 'rolling restart of the four nodes',
    times: 20,
    short: 1,
    play: rollingRestart,
  },
  { name: 'switchover', title: 'planned switchover', times: 5, short: 1, play: switchover },
  { name: 'kill-primary', title: 'kill -9 of the primary', times: 5, short: 1, play: kill },
  { name: 'freeze-primary', title: 'primary frozen for 40 s', times: 3, play: freeze },
  { name: 'freeze-standby', title: 'synchronous standby frozen for 40 s', times: 2, play: freezeStandby },
  { name: 'etcd-away', title: 'etcd away for 60 s', times: 1, play: etcdAway },
  { name: 'session-pooler', title: 'PgBouncer in session mode', times: 1, short: 1, play: sessionPooler },
  {
    name: 'transaction-pooler',
    title: 'PgBouncer in transaction mode',
    times: 1,
    short: 1,
    play: transactionPooler,
  },
  {
    name: 'start-at-once',
    title: 'two first starts at once, through each mode',
    times: 3,
    short: 1,
    play: startAtOnce,
  },
  { name: 'kill-nodes', title: 'kill -9 of nodes of the service', times: 200, short: 10, play: killNodes },
  { name: 'mail-away', title: 'mail server away for 60 s (short: 10 s)', times: 1, play: mailAway },
  {
    name: 'mail-away-an-hour',
    title: 'mail server away for an hour',
    times: 1,
    isAskedFor: true,
    play: mailAwayForAnHour,
  },
  {
    name: 'wrong-clocks',
    title: 'one node 10 minutes ahead, one behind',
    times: 1,
    play: wrongClocks,
  },
  {
    name: 'idle-connections',
    title: 'idle connections, 10,000 or what the machine lets',
    times: 1,
    play: idleConnections,
  },
  { name: 'full-disk', title: 'no room under PostgreSQL for 15 s', times: 2, play: fullDisk },
];
