import { covers } from '../../covers';
import { each, scripts } from './tailScript';

describe('the end of a tail', () => {
  for (const [moment, script] of [
    ['as soon as it starts', 'start&stop'],
    ['while the key is read', 'start stop'],
    ['while the history is loaded', 'query:hang start 1s stop'],
    ['while it connects', 'connect:hang start 1s stop'],
    ['while it is live', 'start 1s stop'],
    ['while pages are on their way', 'start 1s +5&stop'],
    ['while it is paused', 'start 1s pause +1 0 stop'],
    ['in a back-off', 'connect:503/5 start 1s -> now reconnecting code_503\n stop'],
    ['while it waits for the rate', 'connect:429/5 start 1s -> now rateLimited\n stop'],
    ['when a stream has just closed', 'start 1s end&stop'],
    ...['connecting', 'live', 'reconnecting'].map((state): [string, string] => [
      `by the listener that hears that it is ${state}`,
      `on:${state}:stop start 1s cut 1s`,
    ]),
  ] as const) {
    scripts({
      [`leaves nothing behind ${moment} ${covers('F34', 'unit')}`]: `
        +2 ${script} -> now stopped
        gone on:connecting:ok on:live:ok on:reconnecting:ok start 1m -> now live; all true`,
    });
  }
  scripts(
    {
      [`leaves nothing behind by a listener for records, in the middle of a chunk ${covers('F34', 'unit')}`]: `
        on:records:stop +4 start 0 again:0-2,2-3 0 -> now stopped; received 2
        gone`,
    },
    { initialLines: 0 },
  );
  scripts({
    [`leaves one connection at most after 1,000 starts and stops in any order ${covers('F35', 'unit')}`]: `
      +10 ${each(1000, (round) => {
        const start = round % 3 === 0 ? `start ${round % 7}ms ` : 'start&';
        return `${start}${round % 5 === 0 ? 'start&' : ''}+1&stop`;
      })} -> keys none
      gone start 1m -> now live; most 1; connects 11`,
  });
});
