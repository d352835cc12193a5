import { describe, expect, it } from 'vitest'
import { EndpointRules, EndpointRegistry, newSecret } from '#engine/receiving/endpoints/registry.ts'
import type { StoredEndpoint } from '#engine/deliveries/endpoints/store.ts'
import { silentLog } from '#test/support/fake-handlers.ts'

const seal = (clear: string) => Buffer.from(`sealed:${clear}`)
const box = {
  seal: async (clear: string) => seal(clear),
  unseal: async (sealed: Uint8Array) => {
    const text = Buffer.from(sealed).toString()
    if (!text.startsWith('sealed:')) throw new Error('another key')
    return text.slice('sealed:'.length)
  },
}
const stored: StoredEndpoint = {
  id: 4,
  integrationId: 2,
  name: 'Kitchen',
  slug: 'kitchen',
  applicationId: 'app-7',
  sealedHeaders: null,
  customHeaders: [['X-Env', 'a']],
  hadSecret: false,
  sealed: {},
}
const brandOf = (id: number) => (id === 2 ? 'Acme' : 'Service')
const lost = Buffer.from('of another machine')

async function registryWith(sealed: StoredEndpoint['sealed']) {
  const log = silentLog()
  const registry = new EndpointRegistry(box, log)
  await registry.put({ ...stored, sealed })
  return { registry, log }
}

describe('EndpointRegistry', () => {
  it('shows an endpoint without its secrets', async () => {
    const { registry } = await registryWith({ current: seal('whsec-current-9f3a') })
    expect(registry.views()).toEqual([
      {
        id: 4,
        integrationId: 2,
        name: 'Kitchen',
        slug: 'kitchen',
        secret: { set: true, ending: '9f3a', unavailable: false },
        previousSecret: { set: false, ending: null, unavailable: false },
        applicationId: 'app-7',
        customHeaders: [['X-Env', 'a']],
      },
    ])
    expect(JSON.stringify(registry.views())).not.toContain('whsec')
  })

  it('shows the ending only of secrets with at least 12 characters', async () => {
    const { registry } = await registryWith({
      current: seal('12345678abcd'),
      previous: seal('1234567abcd'),
    })
    const { secret, previousSecret } = registry.view(4)
    expect([secret.ending, previousSecret.ending]).toEqual(['abcd', null])
    expect(JSON.stringify(registry.view(4))).not.toContain('5678')
  })

  it('tries the current secret before the previous one', async () => {
    const { registry } = await registryWith({ previous: seal('before'), current: seal('now') })
    const secrets = [
      { name: 'current', secret: 'now' },
      { name: 'previous', secret: 'before' },
    ]
    expect(registry.secretsOf(4)).toEqual(secrets)
    expect(registry.secretsOf(5)).toEqual([])
    expect(registry.secretsOf(null)).toEqual([])
    expect(registry.routes(brandOf, new EndpointRules([], []))).toEqual([
      {
        id: 4,
        name: 'Kitchen',
        path: '/hooks/kitchen',
        brand: 'Acme',
        applicationId: 'app-7',
        customHeaders: [['X-Env', 'a']],
        secrets,
        responses: [],
        forwards: [],
      },
    ])
    const { applicationId, customHeaders } = stored
    expect(registry.settingsOf(4)).toEqual({ applicationId, customHeaders })
    expect(registry.settingsOf(5)).toBeNull()
  })

  it('reports that a secret that cannot be decrypted must be entered again', async () => {
    const { registry, log } = await registryWith({ current: lost, previous: seal('before') })
    expect(registry.view(4).secret).toEqual({ set: true, ending: null, unavailable: true })
    expect(registry.secretsOf(4)).toEqual([{ name: 'previous', secret: 'before' }])
    expect(() => registry.reveal(4, 'current')).toThrow(
      expect.objectContaining({ code: 'secret_unavailable' }),
    )
    expect(registry.reveal(4, 'previous')).toBe('before')
    expect(log.errors).toHaveLength(1)
    await registry.put({ ...stored, sealed: { current: seal('entered again') } })
    expect(registry.view(4).secret).toEqual({ set: true, ending: 'gain', unavailable: false })
  })

  it('throws not_found for a secret that is not set', async () => {
    const { registry } = await registryWith({})
    const notFound = expect.objectContaining({ code: 'not_found' })
    expect(() => registry.reveal(4, 'current')).toThrow(notFound)
    expect(() => registry.reveal(5, 'current')).toThrow(notFound)
    registry.remove(4)
    expect(() => registry.view(4)).toThrow(notFound)
    expect(() => registry.stored(4)).toThrow(notFound)
    expect(registry.views()).toEqual([])
  })

  it('returns the sandbox target with the current secret only', async () => {
    const { registry } = await registryWith({ current: lost, previous: seal('before') })
    const target = {
      url: 'http://127.0.0.1:4780/hooks/kitchen',
      secret: null,
      brand: 'Acme',
      applicationId: 'app-7',
      customHeaders: [['X-Env', 'a']],
    }
    const origin = 'http://127.0.0.1:4780'
    expect(registry.sandboxTarget(4, origin, brandOf)).toEqual(target)
    await registry.put({ ...stored, sealed: { current: seal('now') } })
    expect(registry.sandboxTarget(4, origin, brandOf).secret).toBe('now')
    expect(registry.sandboxTarget(4, origin, () => 'Service').brand).toBe('Service')
  })
})

it('creates random secrets of 256 bits', () => {
  expect(newSecret()).toMatch(/^[0-9a-f]{64}$/)
  expect(newSecret()).not.toBe(newSecret())
})
