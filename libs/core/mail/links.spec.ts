import { invitationLink, resetLink } from './links';

describe('links in mails', () => {
  it('encodes what it fills in', () => {
    const template = 'https://panel.example/reset/{token}?again={token}&keep={other}';
    expect(resetLink(template, 'a/b?c&d#e f$&')).toBe(
      'https://panel.example/reset/a%2Fb%3Fc%26d%23e%20f%24%26?again=a%2Fb%3Fc%26d%23e%20f%24%26&keep={other}',
    );
  });

  it('fills in organisation and invitation', () => {
    const invitationUrlTemplate = 'https://panel.example/{organisationId}/{invitationId}/{token}';
    expect(
      invitationLink({ invitationUrlTemplate }, { token: 't', organisationId: 12, invitationId: 7 }),
    ).toBe('https://panel.example/12/7/t');
  });
});
