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
    tries: 'The secret from before the last rotation was tried.',
    keys: ({ keyring }) =>
      keyring.previous === null
        ? []
        : keysOf('secret.previous', [{ words: 'the previous secret', secret: keyring.previous }]),
  },
  {
    code: 'secret.other_endpoint',
    tries: 'The current and previous secrets of every other endpoint were tried.',
    keys: ({ keyring }) => keysOf('secret.other_endpoint', keyring.others),
  },
  {
    code: 'secret.access',
    tries: 'The access secret of every integration was tried.',
    keys: ({ keyring }) => keysOf('secret.access', keyring.access),
  },
  {
    code: 'secret.identifier',
    tries: 'Access IDs and application IDs were tried as the secret.',
    keys: ({ keyring }) => keysOf('secret.identifier', keyring.identifiers),
  },
  {
    code: 'secret.empty',
    tries: 'An empty secret was tried.',
    keys: () => [{ bytes: new Uint8Array(0), codes: ['secret.empty'], words: 'an empty secret' }],
  },
]
