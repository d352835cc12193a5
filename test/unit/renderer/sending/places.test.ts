import { expect, it } from 'vitest'
import type { ForwardTarget } from '#contract/answering.ts'
import type { Place } from '#contract/sending.ts'
import { placesFor, placeSentence } from '#renderer/features/sending/places.ts'

const listener = {
  state: 'listening',
  port: 4780,
  origin: 'http://127.0.0.1:4780',
  since: 0,
  failing: null,
} as const
const forward = (endpointId: number, url: string): ForwardTarget => ({
  id: endpointId,
  endpointId,
  url,
  types: [],
  mode: 'after',
  retries: 0,
  timeout: 10_000,
  inFlight: 1,
  queue: 1000,
  on: true,
  temporary: false,
})
const endpoints = [
  {
    id: 1,
    integrationId: 1,
    name: 'Main',
    slug: 'main',
    secret: { set: false, ending: null, unavailable: false },
    previousSecret: { set: false, ending: null, unavailable: false },
    applicationId: '',
    customHeaders: [],
  },
]
const here = { used: [], forwards: [], listener, endpoints, delivery: null }

const said = (place: Place, confirmed = true, verifyTls = true): string =>
  placeSentence({ origin: 'https://x', place, confirmed, verifyTls })

it('offers where it went last first, then the targets of its endpoint, then our own listener', () => {
  const places = placesFor({
    ...here,
    used: ['http://a/', 'http://a/', 'http://b/'],
    forwards: [forward(1, 'http://c/'), forward(2, 'http://d/'), forward(1, 'http://b/')],
    delivery: { path: '/hooks/main?x=1', endpointId: 1 },
  })
  expect(places).toEqual([
    { url: 'http://a/', word: 'where it went last' },
    { url: 'http://b/', word: 'used before' },
    { url: 'http://c/', word: 'forward target' },
    { url: 'http://127.0.0.1:4780/hooks/main?x=1', word: 'own listener' },
  ])
})

it('offers for many each endpoint of our own, and none while nothing listens', () => {
  expect(placesFor(here)).toEqual([
    { url: 'http://127.0.0.1:4780/hooks/main', word: 'own listener, Main' },
  ])
  expect(placesFor({ ...here, listener: { state: 'stopped', port: 4780 } })).toEqual([])
})

it('describes the consequences of a target’s location', () => {
  expect(said('own')).toContain('own listener')
  expect(said('public', false)).toContain('asked once')
  expect(said('public')).not.toContain('asked')
  expect(said('loopback', true, false)).toContain('TLS verification is off')
})
