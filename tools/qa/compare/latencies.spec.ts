import { Latencies } from './latencies';

it('tells percentiles within two percent', () => {
  const latencies = new Latencies();
  for (let time = 1; time <= 1000; time += 1) latencies.add(time);
  const restored = new Latencies(JSON.parse(JSON.stringify(latencies)) as [number, number][]);
  expect(restored.percentile(0.5)).toBeGreaterThan(490);
  expect(restored.percentile(0.5)).toBeLessThan(510);
  expect(restored.percentile(0.95)).toBeGreaterThan(931);
  expect(restored.percentile(0.95)).toBeLessThan(969);
});

it('tells nothing of nothing', () => {
  expect(new Latencies().percentile(0.5)).toBeNull();
});
