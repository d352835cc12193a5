import type { Settings } from '#contract/models.ts'
import { Text, Stack } from '../../ui/Layout.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'
import { say } from '../../platform/toasts.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import { useSettings } from '../../state/settings.ts'
import { UpdateProgress } from './UpdateProgress.tsx'

const choices = [
  { value: 'off', label: 'Do not check' },
  { value: 'notify', label: 'Notify me' },
  { value: 'download', label: 'Download' },
] as const

/** Whether Tabscope checks for updates, and the state of an update. */
export function UpdatesCard({ settings }: { readonly settings: Settings }) {
  const client = useClient()
  const state = useShell((shell) => shell.updates)
  const { label, hint } = useSettingText('updates')
  function update(updates: Settings['updates']): void {
    client.call('settings.update', { updates }).then(
      (now) => useSettings.setState({ settings: now }),
      (error: unknown) => say('invalid', sentence(error)),
    )
  }
  return (
    <SettingsCard
      title="Updates"
      {...(state.state !== 'unavailable' && {
        note: 'Updates are signed and are never installed during a capture.',
      })}
    >
      <Setting name="updates">
        {state.state === 'unavailable' ? (
          <p className="field-hint">{state.reason}</p>
        ) : (
          <Stack gap={5}>
            <Stack gap={3} className="setting-field">
              <Text as="p" size="s" weight="semibold" tone="mid">
                {label}
              </Text>
              <Segments
                label="New versions"
                value={settings.updates}
                options={choices}
                onChange={update}
              />
              <p className="field-hint">{hint}</p>
            </Stack>
            <UpdateProgress state={state} />
          </Stack>
        )}
      </Setting>
    </SettingsCard>
  )
}
