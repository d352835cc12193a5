import { describe, expect, it } from 'vitest'
import { createRemoteSecrets } from '#hosts/electron/engine-process/remote-ports.ts'
import { FromEngine } from '#hosts/electron/engine/messages.ts'

function create() {
  const sent: FromEngine[] = []
  const secrets = createRemoteSecrets((message) => void sent.push(FromEngine.parse(message)))
  return { secrets, sent }
}

describe('secrets in the engine process', () => {
  it('are refused, not queued, until the keyring has responded', async () => {
    const { secrets, sent } = create()
    await expect(secrets.seal('a')).rejects.toThrow("The system's keyring is locked.")
    await expect(secrets.unseal(new Uint8Array(1))).rejects.toMatchObject({
      code: 'secret_unavailable',
    })
    expect(sent).toEqual([])
  })

  it('are passed to main after that', async () => {
    const { secrets, sent } = create()
    secrets.unlock()
    await secrets.unlocked
    const sealed = secrets.seal('a')
    expect(sent).toEqual([{ kind: 'seal', id: 1, clear: 'a' }])
    secrets.resolve(1, new Uint8Array([1]))
    expect(await sealed).toEqual(new Uint8Array([1]))
  })
})
