import type { Settings } from '#contract/models.ts'
import { cx } from '#kit/cx.ts'
import { Segments } from '#kit/Switch.tsx'
import { useClient } from '#client/use-client.ts'
import { useAction } from '#kit/use-action.ts'
import { useShell } from '#client/state/app.ts'
import { saveSettings, Setting, SettingsCard, settingText } from './Setting.tsx'
import { Icons } from '#kit/icons.tsx'
import type { UpdateState } from '#contract/desktop.ts'
import { Button } from '#kit/Button.tsx'
import { ErrorNote } from '#kit/Note.tsx'
import { shortDate } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { Progress } from '#kit/Progress.tsx'

const choices = [
  { value: 'off', label: 'Do not check' },
  { value: 'notify', label: 'Notify me' },
  { value: 'download', label: 'Download' },
] as const

/** Whether Tabscope checks for updates, and the state of an update. */
export function UpdatesCard({ settings }: { settings: Settings }) {
  const client = useClient()
  const state = useShell((shell) => shell.updates)
  const { label, hint } = settingText('updates')
  return (
    <SettingsCard
      title="Updates"
      {...(state.state !== 'unavailable' && {
        note: 'Updates are installed when you quit Tabscope.',
      })}
    >
      <Setting name="updates">
        {state.state === 'unavailable' ? (
          <p className="field-hint text-s text-dim">{state.reason}</p>
        ) : (
          <div className="grid gap-5">
            <div className="grid justify-items-start gap-3">
              <p className="text-s font-semibold text-mid">{label}</p>
              <Segments
                label="New versions"
                value={settings.updates}
                options={choices}
                onChange={(updates) => saveSettings(client, { updates })}
              />
              <p className="field-hint text-s text-dim">{hint}</p>
            </div>
            <UpdateProgress state={state} />
          </div>
        )}
      </Setting>
    </SettingsCard>
  )
}

type AvailableState = Exclude<UpdateState, { state: 'unavailable' }>

/** The state of an update, and the button for the next step. */
export function UpdateProgress({ state }: { state: AvailableState }) {
  const client = useClient()
  const check = useAction(async () => {
    await client.call('updates.check', {})
  })
  const download = useAction(async () => {
    await client.call('updates.download', {})
  })
  // In the state "failed", the message already contains the error.
  const failed = state.state === 'failed' ? null : (check.error ?? download.error)
  return (
    <div className="grid gap-4 border-t border-line-soft py-4" data-state={state.state}>
      <div className="flex items-center justify-between gap-5">
        <p
          className={cx('flex items-center gap-3', state.state === 'failed' && 'text-invalid')}
          role="status"
        >
          {state.state === 'failed' && <Icons.CircleAlert />}
          {describeUpdate(state)}
          {/* Hidden from screen readers, which would announce every percent. */}
          {state.state === 'downloading' && <span aria-hidden>: {percent(state.share)}</span>}
        </p>
        {(state.state === 'idle' || state.state === 'failed' || state.state === 'checking') && (
          <Button
            icon={Icons.RefreshCw}
            busy={check.busy || state.state === 'checking'}
            onClick={() => check.start()}
          >
            Check now
          </Button>
        )}
        {state.state === 'available' && (
          <Button
            kind="primary"
            icon={Icons.Download}
            busy={download.busy}
            onClick={() => download.start()}
          >
            Download
          </Button>
        )}
      </div>
      {state.state === 'downloading' && (
        <Progress
          label={`Downloading Tabscope ${versionOf(state)}`}
          share={state.share}
          words={percent(state.share)}
        />
      )}
      <ErrorNote error={failed} />
    </div>
  )
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function versionOf({ version }: { version: string }): string {
  return shortText(version, 60)
}

function describeUpdate(state: AvailableState): string {
  switch (state.state) {
    case 'idle':
      return state.checkedAt === null
        ? 'Not checked since Tabscope started.'
        : `This is the latest version, checked ${shortDate(state.checkedAt)}.`
    case 'checking':
      return 'Checking for updates…'
    case 'available':
      return `Tabscope ${versionOf(state)} is available.`
    case 'downloading':
      return `Downloading Tabscope ${versionOf(state)}`
    case 'ready':
      return `Tabscope ${versionOf(state)} is downloaded, and is installed when you quit Tabscope.`
    case 'failed':
      return shortText(state.message, 500)
  }
}
