import { useState, useEffect, useMemo } from 'react'
import { plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { Integration, Preflight, PreflightCheck } from '#contract/integrations.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { ErrorNote, WhenLoaded } from '#kit/Note.tsx'
import { runCommand, useKeys } from '#client/command-registry.ts'
import { useQuery, useClient } from '#client/use-client.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import type { CallInput } from '#contract/calls.ts'
import { messageOf, type Action } from '#kit/use-action.ts'
import { latestOnly } from '#client/limit-calls.ts'

interface Props {
  result: ReturnType<typeof usePreflight>
  integration: Integration
  apply: Action<[check: PreflightCheck]>
}

const fields: Readonly<Record<PreflightCheck['field'], string>> = {
  baseUrl: 'Base URL',
  accessId: 'Access ID',
  accessSecret: 'Access secret',
  redirectUrl: 'Redirect URL',
}

const order: Readonly<Record<PreflightCheck['outcome'], number>> = { error: 0, warning: 1, ok: 2 }

/** Checks that find what would prevent an authorization, before anything opens. */
export function PreflightPanel({ result, integration, apply }: Props) {
  const { preflight } = result
  const { id, kind, baseUrl } = integration
  const [round, setRound] = useState(0)
  const canConnect = kind === 'service' && /^https?:/i.test(baseUrl)
  useKeys({ ...(canConnect && { 'check-service': () => setRound((last) => last + 1) }) })
  return (
    <section
      className="framed preflight sticky top-6 grid gap-5 p-6"
      aria-label="Preflight"
      aria-busy={result.stale}
    >
      <header className="flex items-center justify-between">
        <h2 className="text-m">Preflight</h2>
        <div className="flex items-center gap-5">
          {preflight && <Readiness preflight={preflight} />}
          <LearnMore page="authorization" section="set-up-an-integration" />
        </div>
      </header>
      <ErrorNote error={result.error} />
      <ErrorNote error={apply.error} />
      {preflight && (
        <>
          <ul aria-label="Checks">
            {preflight.checks
              .toSorted((a, b) => order[a.outcome] - order[b.outcome])
              .map((check) => (
                <CheckLine key={`${check.code} ${check.message}`} check={check} apply={apply} />
              ))}
          </ul>
          {canConnect && <Connection key={`${baseUrl} ${round}`} id={id} />}
          {preflight.redirectUrl !== '' && (
            <Exact
              title="Must match the dashboard entry exactly"
              label="Copy redirect URL"
              text={preflight.redirectUrl}
              note={
                preflight.redirectMode === 'served'
                  ? 'Tabscope listens there while a run waits.'
                  : 'Tabscope does not listen there. Paste the redirect address instead.'
              }
            />
          )}
          {preflight.authorizeUrl !== null && (
            <Exact
              title="Authorization page"
              label="Copy authorization address"
              text={preflight.authorizeUrl}
            />
          )}
          {preflight.tokenUrl !== null && (
            <Exact title="Token endpoint" label="Copy token endpoint" text={preflight.tokenUrl} />
          )}
        </>
      )}
    </section>
  )
}

function Readiness({ preflight: { checks, ready } }: { preflight: Preflight }) {
  const count = (wanted: PreflightCheck['outcome']): number =>
    checks.filter(({ outcome }) => outcome === wanted).length
  const warnings = count('warning')
  if (!ready) {
    const word = `${plural(count('error'), 'problem', 'problems')} to fix`
    return <StateMark {...outcomes.error} word={word} />
  }
  return warnings > 0 ? (
    <StateMark {...outcomes.warning} word={`Ready, ${plural(warnings, 'warning', 'warnings')}`} />
  ) : (
    <StateMark {...outcomes.ok} word="Ready" />
  )
}

const outcomes = {
  ok: { tone: 'valid', icon: Icons.Check, word: 'Passed' },
  warning: { tone: 'warning', icon: Icons.TriangleAlert, word: 'Warning' },
  error: { tone: 'invalid', icon: Icons.X, word: 'Failed' },
} as const

function CheckLine({ check, apply }: { readonly check: PreflightCheck } & Pick<Props, 'apply'>) {
  return (
    <li
      className="grid grid-cols-key-1 items-start gap-3 gap-x-4 border-t border-line-soft py-4 below-480:grid-cols-1"
      data-outcome={check.outcome}
    >
      <StateMark {...outcomes[check.outcome]} />
      <div className="grid min-w-0">
        <small className="text-xs text-dim">{fields[check.field]}</small>
        <p className="wrap-anywhere">
          <Shown text={check.message} />
        </p>
      </div>
      {check.suggestion !== null && (
        <div className="col-[-2/-1] flex flex-wrap items-center justify-between gap-3 gap-x-4">
          <code className="mono min-w-0 wrap-anywhere">
            <Shown text={check.suggestion} />
          </code>
          <Button icon={Icons.Wrench} busy={apply.busy} onClick={() => apply.start(check)}>
            Use this
          </Button>
        </div>
      )}
    </li>
  )
}

const probeLooks = {
  answers: { ...outcomes.ok, word: 'Answers' },
  error: { ...outcomes.warning, word: 'Answers with an error' },
  unreachable: { ...outcomes.warning, word: 'Does not answer' },
} as const

function Connection({ id }: { id: number }) {
  const query = useQuery('integrations.probe', { id })
  return (
    <section className="grid gap-2" aria-label="Connection to the service">
      <div className="flex items-center justify-between">
        <h3 className="text-s font-semibold text-mid">Connection to the service</h3>
        <Button
          small
          icon={Icons.RotateCw}
          busy={query.state.phase === 'loading'}
          onClick={() => runCommand('check-service')}
        >
          Check again
        </Button>
      </div>
      <WhenLoaded
        query={query}
        loading={
          <p className="text-dim" role="status">
            Connecting…
          </p>
        }
      >
        {({ outcome, message, requested }) => (
          <div role="status">
            <StateMark {...probeLooks[outcome]} />
            <p className="wrap-anywhere">
              <Shown text={message} />
            </p>
            <p className="field-hint text-s wrap-anywhere text-dim">
              Requested: <Shown text={requested} />, without parameters and credentials.
            </p>
          </div>
        )}
      </WhenLoaded>
    </section>
  )
}

interface ExactProps {
  title: string
  label: string
  text: string
  note?: string
}

function Exact({ title, label, text, note }: ExactProps) {
  return (
    <div className="grid gap-2">
      <h3 className="text-s font-semibold text-mid">{title}</h3>
      <div className="flex items-center justify-between gap-3 rounded-md bg-sunken px-4 py-2">
        <code className="mono min-w-0 wrap-anywhere select-text">
          <Shown text={text} />
        </code>
        <CopyButton text={text} label={label} />
      </div>
      {note !== undefined && <p className="field-hint text-s text-dim">{note}</p>}
    </div>
  )
}

interface Result {
  /** The input of the last result. */
  readonly key: string
  /** Null before the first result. */
  readonly preflight: Preflight | null
  readonly error: string | null
}

/** Checks the current values before they are saved, one call at a time. `stored`: other values that the result depends on. `stale`: the result is of earlier values. */
export function usePreflight(
  input: CallInput<'integrations.preflight'>,
  stored: string,
): Result & { readonly stale: boolean } {
  const client = useClient()
  const key = JSON.stringify([input, stored])
  const [result, setResult] = useState<Result>({ key: '', preflight: null, error: null })
  const check = useMemo(
    () =>
      latestOnly(async (request: { key: string; input: typeof input }) => {
        try {
          const preflight = await client.call('integrations.preflight', request.input)
          setResult({ key: request.key, preflight, error: null })
        } catch (error) {
          setResult(({ preflight }) => ({ key: request.key, preflight, error: messageOf(error) }))
        }
      }),
    [client],
  )
  useEffect(() => {
    check({ key, input })
    return client.onConnection((state) => {
      if (state.phase === 'connected') check({ key, input })
    })
    // `key` stands for `input`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, check, key])
  return { ...result, stale: result.key !== key }
}
