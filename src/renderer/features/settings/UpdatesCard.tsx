import type { Settings } from '#contract/models.ts'
import { Segments } from '../../components/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { say } from '../shell/toasts.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import { useSettings } from './store.ts'
import { UpdateProgress } from './UpdateProgress.tsx'

const choices = [
  { value: 'off', label: 'Don’t ask' },
  { value: 'notify', label: 'Tell me' },
  { value: 'download', label: 'Fetch them' },
] as const

/** Whether Tabscope asks for newer versions of itself, and how far it is. */
export function UpdatesCard({ settings }: { readonly settings: Settings }) {
  const client = useClient()
  const state = useShell((shell) => shell.updates)
  const { label, hint } = useSettingText('updates')
  function choose(updates: Settings['updates']): void {
    client.call('settings.update', { updates }).then(
      (now) => useSettings.setState({ settings: now }),
      (error: unknown) => say('invalid', sentence(error)),
    )
  }
  return (
    <SettingsCard
      title="Updates"
      {...(state.state !== 'unavailable' && {
        note: 'Signed, and never installed while something is captured.',
      })}
    >
      <Setting name="updates">
        {state.state === 'unavailable' ? (
          <p className="field-hint">{state.reason}</p>
        ) : (
          <div className="setting-parts">
            <div className="setting-field">
              <p className="setting-label">{label}</p>
              <Segments
                label="New versions"
                value={settings.updates}
                options={choices}
                onChange={choose}
              />
              <p className="field-hint">{hint}</p>
            </div>
            <UpdateProgress state={state} />
          </div>
        )}
      </Setting>
    </SettingsCard>
  )
}
