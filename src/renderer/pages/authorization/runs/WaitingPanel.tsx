import { Icons } from '#kit/icons.tsx'
import { useEffect, useRef, useState } from 'react'
import type { Run } from '#contract/authorization.ts'
import { isLoopback } from '#shared/text/address.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { Fold } from '#kit/Page.tsx'
import { Field } from '#kit/Field.tsx'
import { Shown } from '#kit/Shown.tsx'
import { clockTimeSeconds } from '#kit/text/time.ts'
import { useNow } from '#kit/Time.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { Masked } from '#kit/Masked.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { setupAddress } from '#client/addresses/authorization.ts'
import { useCan } from '#client/state/app.ts'

/** An active run: what it waits for, how long, and what the user can do. */
export function WaitingPanel({ run }: { run: Run }) {
  const client = useClient()
  const windowed = useCan('embeddedAuthWindow')
  // Also shown after a browser was opened: the system does not report whether that really worked.
  const address =
    run.state === 'waiting' && !(windowed && run.agent === 'window') ? run.authorizeUrl : null
  const cancel = useAction(async () => {
    await client.call('authorization.cancel', { runId: run.id })
  })
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // The button that started the run is gone, so keyboard users continue here.
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [])
  const isWaiting = run.state === 'waiting'
  const latest = (of: 'returned' | 'probe') =>
    run.steps.findLast(({ kind, outcome }) => kind === of && outcome === 'note')
  const unanswered = isWaiting ? latest('probe') : undefined
  const note = latest('returned')
  return (
    <section
      className="framed authorize-waiting grid gap-5 border-accent bg-select p-6 shadow-m focus:outline-none"
      aria-label="Waiting"
      ref={panel}
      tabIndex={-1}
    >
      <div className="flex flex-wrap items-center gap-6">
        <span className="grid h-(--control-l) w-(--control-l) flex-none place-items-center rounded-[50%] bg-accent-soft text-accent icon-m">
          <Icons.Hourglass />
        </span>
        <div className="min-w-0 flex-1 basis-(--measure-menu) text-pretty">
          <div role="status">
            <h2 className="text-l">{isWaiting ? waitingFor(run) : workingOn(run)}</h2>
          </div>
          {isWaiting && run.timeoutAt !== null && <TimeLeft until={run.timeoutAt} />}
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-4">
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
                  <Icons.ExternalLink />
                  Open authorization page
                </a>
              )}
              <CopyButton text={address} label="Copy address" words="Copy address" />
            </>
          )}
          <Button kind="quiet" icon={Icons.X} busy={cancel.busy} onClick={() => cancel.start()}>
            Cancel
          </Button>
        </div>
      </div>
      {address !== null && (
        <code className="mono wrap-anywhere text-mid select-text">
          <Shown text={address} />
        </code>
      )}
      <ErrorNote error={cancel.error} />
      {unanswered && (
        <Note
          tone="invalid"
          alert
          action={
            <a className="button" href={setupAddress}>
              Open setup
            </a>
          }
        >
          <b>{unanswered.title}.</b> <Masked text={unanswered.detail ?? ''} />
        </Note>
      )}
      {note && (
        <Note tone="warning">
          <Masked text={`${note.title}. ${note.detail ?? ''}`} />
        </Note>
      )}
      {isWaiting && run.authorizeUrl !== null && <PageError authorizeUrl={run.authorizeUrl} />}
      {isWaiting &&
        run.acceptsPaste &&
        (isServedLocally(run.redirectUrl) ? (
          <Fold summary="Browser on another machine, or an error page after the approval?">
            <div className="mt-4 grid">
              <PasteField run={run} />
            </div>
          </Fold>
        ) : (
          <PasteField run={run} />
        ))}
    </section>
  )
}

function PageError({ authorizeUrl }: { authorizeUrl: string }) {
  const query = URL.parse(authorizeUrl)?.searchParams
  const compared = [
    ['Redirect URL', query?.get('redirect_url') ?? ''],
    ['Access ID', query?.get('access_id') ?? ''],
  ] as const
  return (
    <div className="grid gap-2">
      <p className="text-s text-mid">
        <span className="tag" data-tone="warning">
          assumption
        </span>{' '}
        If the page shows an error, the service probably does not know the redirect URL or the
        access ID. The API documentation does not describe these errors. Compare with the dashboard,
        character by character:
      </p>
      <table className="facts text-s" aria-label="Compare with the dashboard">
        <tbody>
          {compared.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <div className="flex items-center gap-3">
                  <span className="mono wrap-anywhere select-text">
                    <Shown text={value} />
                  </span>
                  <CopyButton text={value} label={`Copy ${name}`} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether a browser on this machine is redirected back automatically. Pasting the address is then only a fallback. */
function isServedLocally(redirectUrl: string): boolean {
  const host = URL.parse(redirectUrl)?.hostname
  return host !== undefined && isLoopback(host)
}

function waitingFor({ agent, steps }: Run): string {
  const unopened = steps.some(({ kind, outcome }) => kind === 'opened' && outcome === 'note')
  switch (unopened ? 'none' : agent) {
    case 'window':
      return 'Approve or deny in the new window'
    case 'browser':
      return 'Approve or deny in the browser'
    case 'none':
    case null:
      return 'Open the address, then approve or deny'
  }
}

function workingOn(run: Run): string {
  if (run.kind === 'refresh') return 'Refreshing the token'
  return run.steps.some(({ kind }) => kind === 'code')
    ? 'Exchanging the code for a token'
    : 'Starting'
}

function TimeLeft({ until }: { until: number }) {
  const now = useNow(() => until)
  return (
    <p className="text-mid">
      Waits until {clockTimeSeconds(until)}
      {until > now && `, ${formatElapsed(until - now)} left`}. The address works in any browser that
      reaches the service.
    </p>
  )
}

/** For a redirect URL that Tabscope does not serve: the user pastes the address of the page after the redirect. */
function PasteField({ run }: { run: Run }) {
  const client = useClient()
  const [address, setAddress] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const paste = useAction(async () => {
    await client.call('authorization.paste', { runId: run.id, address: address.trim() })
    // The address contains a code, so it is removed from the screen.
    setAddress('')
    setSubmitted(false)
  })
  const empty = address.trim() === ''
  return (
    <form
      className="paste"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (!empty) paste.start()
      }}
    >
      <Field
        label="Paste the redirect address"
        data-mono
        hint={
          <>
            The full address from the browser. It starts with{' '}
            <code className="mono">
              <Shown text={run.redirectUrl} />
            </code>
            . It does not matter if the page is not found or a tunnel shows another page.
          </>
        }
        maxLength={20_000}
        value={address}
        error={
          submitted && empty ? 'Paste the address from the browser’s address bar.' : paste.message
        }
        onChange={(event) => {
          setAddress(event.target.value)
          paste.reset()
        }}
        after={
          <Button type="submit" busy={paste.busy}>
            Submit
          </Button>
        }
      />
    </form>
  )
}
