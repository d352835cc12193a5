import { Download, RefreshCw, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { UpdateState } from '#contract/desktop.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Note } from '../../components/Note.tsx'
import { localTime } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { Progress } from '../logs/Progress.tsx'

type Known = Exclude<UpdateState, { state: 'unavailable' }>

/** How far Tabscope is with bringing itself up to date, and the one step that comes next. */
export function UpdateProgress({ state }: { readonly state: Known }) {
  const client = useClient()
  /** Why it should wait; null: nobody was asked. */
  const [asked, setAsked] = useState<string | null>(null)
  const check = useAction(async () => {
    await client.call('updates.check', {})
  })
  const download = useAction(async () => {
    await client.call('updates.download', {})
  })
  const install = useAction(async (now: boolean) => {
    try {
      await client.call('updates.install', { now })
      setAsked(null)
    } catch (error) {
      // Something began to be captured since this was drawn.
      const mustWait = error instanceof CallError && error.code === 'in_use' && !now
      setAsked(mustWait ? sentence(error) : null)
      if (!mustWait) throw error
    }
  })
  function restart(waitsFor: string | null): void {
    if (waitsFor === null) install.start(false)
    else setAsked(waitsFor)
  }
  const refused = check.error ?? download.error ?? install.error
  // Then the line above says why.
  const failed = state.state === 'failed' ? null : refused
  return (
    <div className="update" data-state={state.state}>
      <div className="update-line">
        <p role="status">{wordsOf(state)}</p>
        {(state.state === 'idle' || state.state === 'failed' || state.state === 'checking') && (
          <Button
            icon={<RefreshCw aria-hidden />}
            busy={check.busy || state.state === 'checking'}
            onClick={() => check.start()}
          >
            Check now
          </Button>
        )}
        {state.state === 'available' && state.why === null && (
          <Button
            kind="primary"
            icon={<Download aria-hidden />}
            busy={download.busy}
            onClick={() => download.start()}
          >
            Download
          </Button>
        )}
        {state.state === 'ready' && (
          <Button
            kind="primary"
            icon={<RotateCcw aria-hidden />}
            busy={install.busy}
            onClick={() => restart(state.waitsFor)}
          >
            Restart to update
          </Button>
        )}
      </div>
      {state.state === 'downloading' && (
        <Progress
          label={`Download of Tabscope ${versionOf(state)}`}
          share={state.share}
          words={`${Math.round(state.share * 100)} %`}
        />
      )}
      {state.state === 'available' && (
        <p className="update-page">
          <span className="mono selectable">{visible(cut(state.page, 300))}</span>
          <CopyButton text={state.page} label="Copy the address of what is new" copy={copyText} />
        </p>
      )}
      {state.state === 'available' && state.why !== null && <Note tone="info">{state.why}</Note>}
      {state.state === 'ready' && state.waitsFor !== null && (
        <Note tone="info">{state.waitsFor}</Note>
      )}
      {failed !== null && (
        <Note tone="invalid" alert>
          {sentence(failed)}
        </Note>
      )}
      <Confirm
        open={asked !== null}
        onClose={() => {
          setAsked(null)
          install.reset()
        }}
        title="Restart now?"
        description={`${asked ?? ''} What arrives while Tabscope restarts is refused, and the sender has to try again.`}
        action="Restart"
        busy={install.busy}
        error={null}
        onConfirm={() => install.start(true)}
      />
    </div>
  )
}

function versionOf({ version }: { readonly version: string }): string {
  return visible(cut(version, 60))
}

function wordsOf(state: Known): string {
  switch (state.state) {
    case 'idle':
      return state.checkedAt === null
        ? 'Not asked since Tabscope was started.'
        : `This is the newest version, as of ${localTime(state.checkedAt)}.`
    case 'checking':
      return 'Asking what is newest…'
    case 'available':
      return `Tabscope ${versionOf(state)} is there.`
    case 'downloading':
      return `Fetching Tabscope ${versionOf(state)}: ${Math.round(state.share * 100)} %`
    case 'ready':
      return `Tabscope ${versionOf(state)} is here, and its signature is right.`
    case 'failed':
      return visible(cut(state.message, 500))
  }
}
