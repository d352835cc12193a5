import { useId } from 'react'
import type { Settings } from '#contract/models.ts'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { Switch } from '../answering/Switch.tsx'
import { say } from '../shell/toasts.ts'
import { settingsHere } from './registry.ts'
import type { SettingName } from './registry.ts'
import { Setting, useSettingText } from './Setting.tsx'
import { useSettings } from './store.ts'

interface Props {
  readonly name: SettingName
  readonly stored: keyof Settings &
    ('background' | 'openAtLogin' | 'notifyVerdicts' | 'notifyTunnel')
  readonly settings: Settings
}

/** Something that is on or off, at once. */
export function SwitchSetting({ name, stored, settings }: Props) {
  const client = useClient()
  const id = useId()
  const { label, hint } = useSettingText(name)
  function turn(on: boolean): void {
    client.call('settings.update', { [stored]: on }).then(
      (now) => useSettings.setState({ settings: now }),
      (error: unknown) => say('invalid', sentence(error)),
    )
  }
  return (
    <Setting name={name}>
      <div className="setting-switch">
        <Switch
          label={settingsHere[name].label}
          describedBy={id}
          on={settings[stored]}
          onChange={turn}
        />
        <div>
          <p className="setting-label" aria-hidden>
            {label}
          </p>
          <p className="field-hint" id={id}>
            {hint}
          </p>
        </div>
      </div>
    </Setting>
  )
}
