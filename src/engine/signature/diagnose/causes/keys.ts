import type { OtherKeyCause } from '../cause.ts'
import type { Key, NamedSecret } from '../subject.ts'

function keysOf(code: string, secrets: readonly NamedSecret[]): Key[] {
  return secrets.map(({ words, secret }) => ({
    bytes: Buffer.from(secret, 'utf8'),
    codes: [code],
    words,
  }))
}

export const otherKeys: readonly OtherKeyCause[] = [
  {
    code: 'secret.previous',
    title: 'Signed with the previous secret of this endpoint',
    tries: 'The secret from before the last rotation was tried.',
    fix: 'Set the new secret on the service’s dashboard, or undo the rotation in Tabscope.',
    where: 'dashboard',
    likelihood: 88,
    keys: ({ keyring }) =>
      keyring.previous === null
        ? []
        : keysOf('secret.previous', [{ words: 'the previous secret', secret: keyring.previous }]),
  },
  {
    code: 'secret.other_endpoint',
    title: 'Signed with the secret of another endpoint',
    tries: 'The current and previous secrets of every other endpoint were tried.',
    fix: 'Set this endpoint’s own secret for the webhook on the dashboard, or set the webhook’s URL to that of the endpoint with this secret.',
    where: 'dashboard',
    likelihood: 92,
    keys: ({ keyring }) => keysOf('secret.other_endpoint', keyring.others),
  },
  {
    code: 'secret.access',
    title: 'Signed with an API access secret instead of the webhook secret',
    tries: 'The access secret of every integration was tried.',
    fix: 'Use the webhook’s own secret to sign. The access secret is only for the token endpoint.',
    where: 'dashboard',
    likelihood: 80,
    keys: ({ keyring }) => keysOf('secret.access', keyring.access),
  },
  {
    code: 'secret.identifier',
    title: 'Signed with an ID instead of the secret',
    tries: 'Access IDs and application IDs were tried as the secret.',
    fix: 'Use the webhook secret as the key. An ID is not a secret.',
    where: 'sender',
    likelihood: 15,
    keys: ({ keyring }) => keysOf('secret.identifier', keyring.identifiers),
  },
  {
    code: 'secret.empty',
    title: 'Signed with an empty secret',
    tries: 'An empty secret was tried.',
    fix: 'The signer found no secret. Check the name of the variable or setting from which it reads the secret.',
    where: 'sender',
    likelihood: 50,
    keys: () => [{ bytes: new Uint8Array(0), codes: ['secret.empty'], words: 'an empty secret' }],
  },
]
