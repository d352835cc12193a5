import { ChevronRight, ExternalLink, Hourglass, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Run } from '#contract/authorization.ts'
import { Button } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Field } from '../../../components/Field.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { clockTimeSeconds } from '../../../components/text/time.ts'
import { useNow } from '../../../components/use-now.ts'
import { sentence } from '../../../platform/call-error.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useCan } from '../../shell/store.ts'
import { longSpan } from '../tokens/lifetime.ts'

/** A run that goes on: what it waits for, for how long, and how to help it. */
export function WaitingPanel({ run }: { readonly run: Run }) {
  const client = useClient()
  const windowed = useCan('embeddedAuthWindow')
  // Also where a browser was opened: that it was is only what the system says.
  const address =
    run.state === 'waiting' && !(windowed && run.agent === 'window') ? run.authorizeUrl : null
  const cancel = useAction(async () => {
    await client.call('authorization.cancel', { runId: run.id })
  })
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // The button that began it is gone: who pressed it goes on from here.
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [])
  const waits = run.state === 'waiting'
  return (
    <section className="authorize authorize-waiting" aria-label="Waiting" ref={panel} tabIndex={-1}>
      <div className="authorize-line">
        <span className="authorize-sign">
          <Hourglass aria-hidden />
        </span>
        <div className="authorize-words">
          <div role="status">
            <h2>{waits ? waitsFor(run) : workingOn(run)}</h2>
          </div>
          {waits && run.waitsUntil !== null && <TimeLeft until={run.waitsUntil} />}
        </div>
        <div className="authorize-buttons">
          {address !== null && (
            <>
              {!windowed && (
                <a
                  className="button"
                  data-kind="primary"
                  href={address}
                  target="_blank"
                  rel="noopener noreferrer"
                >
                  <ExternalLink aria-hidden />
                  Open the authorization page
                </a>
              )}
              <CopyButton
                text={address}
                label="Copy address"
                words="Copy address"
                copy={copyText}
              />
            </>
          )}
          <Button
            kind="quiet"
            icon={<X aria-hidden />}
            busy={cancel.busy}
            onClick={() => cancel.start()}
          >
            Cancel
          </Button>
        </div>
      </div>
      {address !== null && (
        <code className="mono selectable authorize-address">
          <Shown text={address} />
        </code>
      )}
      {cancel.error !== null && (
        <Note tone="invalid" alert>
          {sentence(cancel.error)}
        </Note>
      )}
      {waits &&
        run.takesPaste &&
        (servedHere(run.redirectUrl) ? (
          <details className="options">
            <summary>
              <ChevronRight aria-hidden />
              The browser is on another machine, or did not come back
            </summary>
            <PasteField run={run} />
          </details>
        ) : (
          <PasteField run={run} />
        ))}
    </section>
  )
}

/** Whether a browser on this machine comes back by itself: pasting is then the way out, not the way. */
function servedHere(redirectUrl: string): boolean {
  const host = URL.parse(redirectUrl)?.hostname
  return host === '127.0.0.1' || host === '[::1]' || host === 'localhost'
}

function waitsFor({ agent, steps }: Run): string {
  const unopened = steps.some(({ kind, outcome }) => kind === 'opened' && outcome === 'note')
  switch (unopened ? 'none' : agent) {
    case 'window':
      return 'Approve or deny in the window that opened'
    case 'browser':
      return 'Approve or deny in the browser'
    case 'none':
    case null:
      return 'Open the address, and approve or deny there'
  }
}

function workingOn(run: Run): string {
  if (run.kind === 'refresh') return 'Refreshing the token'
  return run.steps.some(({ kind }) => kind === 'code')
    ? 'Exchanging the code for a token'
    : 'Starting'
}

function TimeLeft({ until }: { readonly until: number }) {
  const now = useNow(() => until)
  return (
    <p>
      Waits until {clockTimeSeconds(until)}
      {until > now && `, ${longSpan(until - now)} left`}. The address works in any browser that
      reaches the service.
    </p>
  )
}

/** For a redirect URL that nobody serves here: the address that one landed on is pasted. */
function PasteField({ run }: { readonly run: Run }) {
  const client = useClient()
  const [address, setAddress] = useState('')
  const [tried, setTried] = useState(false)
  const paste = useAction(async () => {
    await client.call('authorization.paste', { runId: run.id, address: address.trim() })
    // It carries a code: it is not kept on the screen.
    setAddress('')
    setTried(false)
  })
  const empty = address.trim() === ''
  return (
    <form
      className="paste"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!empty) paste.start()
      }}
    >
      <Field
        label="Paste the address you landed on"
        data-mono
        hint={
          <>
            Whole, as the browser shows it; it begins with{' '}
            <code className="mono">
              <Shown text={run.redirectUrl} />
            </code>
            . That the page itself cannot be found, or that a tunnel shows another one, does not
            matter.
          </>
        }
        maxLength={20_000}
        value={address}
        error={
          tried && empty
            ? 'Paste the address from the browser’s address bar.'
            : paste.error === null
              ? null
              : sentence(paste.error)
        }
        onChange={(event) => {
          setAddress(event.target.value)
          paste.reset()
        }}
        after={
          <Button type="submit" busy={paste.busy}>
            Take it
          </Button>
        }
      />
    </form>
  )
}
