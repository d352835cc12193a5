import { expect, test } from 'vitest'
import { PublicAddresses } from '#engine/app/opening/threads.ts'

const providers = [
  { id: 'localtunnel', target: 'tunnel-listener' },
  { id: 'manual', target: 'listener' },
] as const
const by = (provider: string) => ({ provider, options: {} })

test('every address of the run is remembered, each once', () => {
  const addresses = new PublicAddresses(providers)
  expect(addresses.add({ url: null, using: by('localtunnel') })).toBe(false)
  expect(addresses.add({ url: 'https://pier9.example', using: by('localtunnel') })).toBe(true)
  expect(addresses.add({ url: 'https://pier9.example', using: by('localtunnel') })).toBe(false)
  expect(addresses.add({ url: 'https://pier10.example', using: by('localtunnel') })).toBe(true)
  expect(addresses.add({ url: null, using: null })).toBe(false)
  expect(addresses.all).toEqual(['https://pier9.example/', 'https://pier10.example/'])
})

test('of a URL that the user set up, only /hooks/ counts', () => {
  const addresses = new PublicAddresses(providers)
  addresses.add({ url: 'https://bar.example:8443', using: by('manual') })
  expect(addresses.all).toEqual(['https://bar.example:8443/hooks/'])
})

test('a tunnel with a new name each time does not fill the memory: only the newest addresses are kept', () => {
  const addresses = new PublicAddresses(providers)
  for (let i = 1; i <= 1000; i += 1) {
    addresses.add({ url: `https://n${i}.example`, using: by('localtunnel') })
  }
  expect(addresses.all).toHaveLength(200)
  expect(addresses.all.at(-1)).toBe('https://n1000.example/')
})
