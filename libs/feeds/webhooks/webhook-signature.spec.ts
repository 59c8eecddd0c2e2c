import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signedHeaders } from './webhook-signature';

const message = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body: '{"type":"users.updated"}' };

it('signs so that every secret verifies', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const headers = signedHeaders(message, secrets);
  for (const secret of secrets)
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ type: 'users.updated' });
  expect(() => new Webhook(newWebhookSecret()).verify(message.body, headers)).toThrow();
});

it('signs the example of Standard Webhooks', () => {
  const headers = signedHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
