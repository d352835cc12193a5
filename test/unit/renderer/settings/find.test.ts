import { expect, it } from 'vitest'
import { capabilityNames } from '#contract/constants.ts'
import type { Capabilities } from '#contract/host.ts'
import { defaultSettings } from '#contract/models.ts'
import { settingAddress, settingsPlaceOf } from '#client/addresses/pages.ts'
import { findSettings } from '#pages/settings/SettingsPage.tsx'
import { allSettings } from '#pages/settings/registry.ts'

function can(value: boolean): Capabilities {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name is given
  return Object.fromEntries(capabilityNames.map((name) => [name, value])) as Capabilities
}

it('has a unique name and URL for every setting', () => {
  const stored = allSettings.flatMap((setting) => setting.stored ?? [])
  const known = Object.keys(defaultSettings)
  expect(stored.toSorted()).toEqual(known.toSorted())
  expect(new Set(allSettings.map(({ name }) => name)).size).toBe(allSettings.length)
  for (const { name, address, here } of allSettings) {
    if (here) expect(settingsPlaceOf(address)).toEqual({ name, find: '' })
    else expect(address).toMatch(/^#\/(?!settings)/)
  }
})

it('finds by label, hint, card and other words, case-insensitively', () => {
  const desktop = can(true)
  const here = (query: string): string[] => [...findSettings(query, desktop).here]
  expect(here('Port')).toContain('port')
  expect(here('retention')).toEqual(['keep-deliveries', 'keep-bytes', 'keep-days'])
  expect(here('413')).toEqual(['body-limit'])
  expect(here('  TRAY  close ')).toEqual(['background'])
  expect(here('notifications tunnel')).toEqual(['notify-tunnel'])
  expect(here('zzz')).toEqual([])
  const elsewhere = findSettings('redact', desktop).elsewhere.map(({ address }) => address)
  expect(elsewhere).toEqual(['#/logs'])
  expect(here('')).toHaveLength(allSettings.filter((setting) => setting.here).length)
})

it('reports matching settings of another host as unavailable', () => {
  const found = findSettings('tray', can(false))
  expect([...found.here]).toEqual([])
  expect(found.absent.map(({ name }) => name)).toEqual(['background'])
  expect(findSettings('', can(false)).absent).toEqual([])
})

it('parses only settings URLs', () => {
  expect(settingsPlaceOf('#/settings')).toEqual({ name: null, find: '' })
  expect(settingsPlaceOf('#/settings?find=tunnel+lost')).toEqual({
    name: null,
    find: 'tunnel lost',
  })
  expect(settingsPlaceOf(settingAddress('body-limit'))).toEqual({ name: 'body-limit', find: '' })
  for (const hash of ['', '#/settings/"]', '#/settings/A', '#/logs/port', '#/settings/../x']) {
    expect(settingsPlaceOf(hash), hash).toEqual({ name: null, find: '' })
  }
})
