import { expect, it } from 'vitest'
import { defaultSettings, type Settings } from '#contract/models.ts'
import { readSettings } from '#engine/platform/settings/store.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'
import { writeSettings } from '#engine/app/threads/writes.ts'

const others: Settings = {
  theme: 'dark',
  listenerPort: 0,
  bodyLimit: 1024,
  keepDeliveries: 1,
  keepDays: 30,
  keepBytes: 1024 * 1024,
  background: true,
  preventSleep: false,
  hardwareAcceleration: false,
  notifyVerdicts: false,
  notifyTunnel: false,
  notifyAlerts: false,
  updates: 'off',
  proxy: 'none',
  caFile: '/etc/ca.pem',
  assistantAccess: false,
  assistantTargets: [{ name: 'handler', url: 'http://127.0.0.1:3000/', endpointId: 1 }],
}

it('returns the last written values', () => {
  const store = storeWith()
  writeSettings(store.db, others)
  expect(readSettings(readerOf(store))).toEqual(others)
  writeSettings(store.db, { ...others, theme: 'light' })
  expect(readSettings(readerOf(store))).toEqual({ ...others, theme: 'light' })
})

it.each([
  ['theme', '"sepia"'],
  ['theme', 'null'],
  ['listenerPort', '70000'],
  ['listenerPort', '"4780"'],
  ['keepDeliveries', '1.5'],
  ['keepDeliveries', 'not JSON'],
  ['bodyLimit', ''],
  ['ofAnotherVersion', '{"a":1}'],
  ['__proto__', '{"theme":"dark"}'],
])('takes the default where %s is stored as %s, and the rest as it is', (key, value) => {
  const store = storeWith()
  writeSettings(store.db, others)
  store.db
    .prepare(
      'INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value)
  const known = Object.entries(defaultSettings).filter(([name]) => name === key)
  expect(readSettings(store.db)).toEqual({ ...others, ...Object.fromEntries(known) })
})
