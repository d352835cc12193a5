import { expect, it } from 'vitest'
import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Place } from '#contract/sending.ts'
import { sampleEndpoint } from '../sample-endpoint.ts'
import { suggestTargets, describeTarget } from '#parts/send/target-suggestions.ts'

const listenerOrigin = 'http://127.0.0.1:4780'
const forward = (endpointId: number, url: string): ForwardTarget => ({
  id: endpointId,
  endpointId,
  url,
  ...defaultForward,
  types: [],
  temporary: false,
})
const endpoints = [sampleEndpoint(1, 'Main')]
const here = { used: [], forwards: [], listenerOrigin, endpoints, delivery: null }

const describe = (location: Place, confirmed = true, verifyTls = true): string =>
  describeTarget({ origin: 'https://x', location, confirmed, verifyTls })

it('suggests the last target first, then the targets of its endpoint, then the Tabscope listener', () => {
  const suggestions = suggestTargets({
    ...here,
    used: ['http://a/', 'http://a/', 'http://b/'],
    forwards: [forward(1, 'http://c/'), forward(2, 'http://d/'), forward(1, 'http://b/')],
    delivery: { path: '/hooks/main?x=1', endpointId: 1 },
  })
  expect(suggestions).toEqual([
    { url: 'http://a/', label: 'last target' },
    { url: 'http://b/', label: 'earlier target' },
    { url: 'http://c/', label: 'forward target' },
    { url: 'http://127.0.0.1:4780/hooks/main?x=1', label: 'Tabscope listener' },
  ])
})

it('suggests each endpoint for several deliveries, and none while the listener is stopped', () => {
  expect(suggestTargets(here)).toEqual([
    { url: 'http://127.0.0.1:4780/hooks/main', label: 'Tabscope listener, Main' },
  ])
  expect(suggestTargets({ ...here, listenerOrigin: null })).toEqual([])
})

it('describes the location of a target', () => {
  expect(describe('own')).toContain('Tabscope listener')
  expect(describe('public', false)).toContain('asks you once')
  expect(describe('public')).not.toContain('asks you')
  expect(describe('loopback', true, false)).toContain('TLS verification is off')
})
