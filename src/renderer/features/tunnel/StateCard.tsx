import { Power, PowerOff, RefreshCw } from 'lucide-react'
import type { RefObject } from 'react'
import type { TunnelView } from '#contract/tunnel.ts'
import { Button } from '../../components/Button.tsx'
import { Shown } from '../../components/Shown.tsx'
import { clockTimeSeconds, dayTime, fullTime, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { checkTunnel, closeTunnel, openTunnel } from './commands.ts'
import { Since, useLive } from './Live.tsx'
import { nextWords } from './lasting.ts'
import { Facts } from './StateFacts.tsx'
import { TunnelIcon } from './StateIcon.tsx'
import { useTunnel } from './store.ts'
import { capital, checkWord, notConnected, stateWords, unknownState } from './words.ts'

interface Props {
  readonly view: TunnelView
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** What a provider is called. */
  readonly label: (provider: string) => string
}

/** How it stands: large, with since when and why, and what can be done. */
export function StateCard({ view, heading, label }: Props) {
  const { state, since, reason, url } = view
  const lastUrl = useTunnel((held) => held.lastUrl)
  const stale = useShell((shell) => shell.stale)
  if (stale) return <UnknownState heading={heading} />
  const { word, tone } = stateWords[state]
  return (
    <section className="tunnel-now" aria-label="State" data-state={state} data-tone={tone}>
      <span className="tunnel-disc" aria-hidden>
        <TunnelIcon state={state} />
      </span>
      <div className="tunnel-words">
        <h2 ref={heading} tabIndex={-1}>
          <span data-testid="tunnel-state">{capital(word)}</span>{' '}
          <span className="tunnel-since">
            for <Since at={since} />, since <Begun at={since} />
          </span>
        </h2>
        <p className="tunnel-reason selectable" data-testid="tunnel-reason">
          <Shown text={cut(reason, 600)} />
        </p>
        {url !== null ? (
          <p className="tunnel-origin mono selectable">
            <Shown text={cut(url, 400)} />
          </p>
        ) : (
          lastUrl !== null && (
            <p className="tunnel-origin" data-gone>
              last at{' '}
              <span className="mono selectable">
                <Shown text={cut(lastUrl, 400)} />
              </span>
            </p>
          )
        )}
        {state === 'off' && <OpensBy setup={view.setup} label={label} />}
      </div>
      <Commands view={view} />
      <Facts view={view} label={label} />
    </section>
  )
}

/** Without a connection nothing is known, and nothing can be done. */
function UnknownState({ heading }: Pick<Props, 'heading'>) {
  return (
    <section
      className="tunnel-now"
      aria-label="State"
      data-state="unknown"
      data-tone={unknownState.tone}
    >
      <span className="tunnel-disc" aria-hidden>
        <TunnelIcon state={null} />
      </span>
      <div className="tunnel-words">
        <h2 ref={heading} tabIndex={-1}>
          <span data-testid="tunnel-state">{capital(unknownState.word)}</span>
        </h2>
        <p className="tunnel-reason">{notConnected}</p>
      </div>
    </section>
  )
}

/** What the button would do, and the way to change that. */
function OpensBy({ setup, label }: Pick<TunnelView, 'setup'> & Pick<Props, 'label'>) {
  const options = Object.values(setup.options).join(', ')
  return (
    <p className="tunnel-by">
      Opens by{' '}
      <b>
        <Shown text={cut(label(setup.provider), 60)} />
      </b>
      {options !== '' && (
        <>
          , <Shown text={cut(options, 200)} />
        </>
      )}
      .{' '}
      <Button kind="quiet" onClick={focusSetup}>
        Change
      </Button>
    </p>
  )
}

function focusSetup(): void {
  document.querySelector<HTMLInputElement>('.providers input:checked')?.focus()
}

function Begun({ at }: { readonly at: number }) {
  const now = useLive((then) => nextWords(at, then))
  const recent = now - at < 12 * 3_600_000
  return (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {recent ? clockTimeSeconds(at) : dayTime(at, now)}
    </time>
  )
}

/** The two buttons stay where they are, whatever the state: who pressed one keeps the focus. */
function Commands({ view }: Pick<Props, 'view'>) {
  const client = useClient()
  const toggle = useAction((open: boolean) => (open ? openTunnel(client) : closeTunnel(client)))
  const check = useAction(() => checkTunnel(client))
  const off = view.state === 'off'
  const word = checkWord(view)
  const underWay = view.state === 'opening' || view.state === 'reconnecting'
  return (
    <div className="tunnel-commands">
      {word !== null && (
        <Button
          hint="c"
          icon={<RefreshCw aria-hidden />}
          kind={view.state === 'offline' ? 'primary' : 'plain'}
          busy={check.busy || underWay}
          onClick={() => check.start()}
        >
          {word}
        </Button>
      )}
      <Button
        {...(off ? { hint: 'o' } : {})}
        icon={off ? <Power aria-hidden /> : <PowerOff aria-hidden />}
        kind={off ? 'primary' : 'plain'}
        busy={toggle.busy}
        onClick={() => toggle.start(off)}
      >
        {off ? 'Open' : 'Close'}
      </Button>
    </div>
  )
}
