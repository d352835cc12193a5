import type { ReactNode } from 'react'
import type { Settings } from '#contract/models.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { useSettings } from '#client/state/live-values.ts'
import { Card } from '#kit/Page.tsx'
import { useSettingsSearch } from '#client/state/setting-target.ts'
import { allSettings, settingsHere, type SettingEntry, type SettingName } from './registry.ts'

/** One setting on the page. It is hidden if the search does not match, and highlighted if a link led to it. */
export function Setting({ name, children }: { name: SettingName; children: ReactNode }) {
  const { shown, highlighted } = useSettingsSearch()
  return (
    // Hidden and not removed, so that drafts are kept.
    <div
      className="-mx-4 -my-3 grid gap-5 rounded-md px-4 py-3 [transition:background_var(--ease)] data-highlighted:bg-accent-soft data-highlighted:[box-shadow:inset_2px_0_var(--accent)] [&>.button]:justify-self-start"
      data-setting={name}
      data-highlighted={highlighted === name || undefined}
      hidden={!shown.has(name)}
    >
      {children}
    </div>
  )
}

/** Saves settings at once, and shows why that failed. */
export function saveSettings(client: Client, change: Partial<Settings>): void {
  client
    .call('settings.update', change)
    .then((settings) => useSettings.setState({ settings }), toastError)
}

export function settingText(name: SettingName): { label: string; hint?: string } {
  const { label, hint }: SettingEntry = settingsHere[name]
  return { label, ...(hint !== '' && { hint }) }
}

interface CardProps {
  title: (typeof settingsHere)[SettingName]['card']
  note?: string
  children: ReactNode
}

/** A card of settings. It is hidden if none of its settings match the search. */
export function SettingsCard({ title, note, children }: CardProps) {
  const { shown } = useSettingsSearch()
  const anyShown = allSettings.some(
    ({ here, name, card }) => here && card === title && shown.has(name),
  )
  return (
    <div hidden={!anyShown}>
      <Card title={title} {...(note === undefined ? {} : { note })}>
        {children}
      </Card>
    </div>
  )
}
