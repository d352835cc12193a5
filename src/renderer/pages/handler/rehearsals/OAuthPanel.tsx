import { Icons, type Icon } from '#kit/icons.tsx'
import type { OAuthOptions, OAuthProgress, Rehearsal } from '#contract/rehearsal.ts'
import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import { isHttp } from '#shared/text/address.ts'
import { formatDuration, formatElapsed, plural } from '#shared/text/format.ts'
import { CopyButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useNow } from '#kit/Time.tsx'
import { useRehearsals } from '#client/state/rehearsals.ts'

interface Props {
  run: Rehearsal
  oauth: OAuthOptions
}

/** What the app has to be configured with, and what the run is waiting for. */
export function OAuthPanel({ run, oauth }: Props) {
  return (
    <div className="grid grid-cols-2 items-start gap-6 border-b border-line px-6 py-5 below-480:grid-cols-1 below-480:flex-wrap">
      <Step run={run} oauth={oauth} />
      <Configuration run={run} oauth={oauth} />
    </div>
  )
}

/** Facts about a run for an OAuth client. */
export function OAuthFacts({ oauth }: { oauth: OAuthOptions }) {
  const { startUrl, accessId, watchTime } = oauth
  return (
    <>
      <li>OAuth client</li>
      <li>{startUrl === null ? 'flows begun by you' : 'flows begun by Tabscope'}</li>
      <li>
        access ID <Shown text={accessId} max={60} />
      </li>
      <li>watch time {formatDuration(watchTime)}</li>
    </>
  )
}

function Configuration({ run, oauth }: Props) {
  const config = useRehearsals((state) => state.clients.get(run.id))
  const secret = config?.accessSecret ?? null
  const rows = [
    {
      label: 'Base URL',
      labelInText: 'base URL',
      value: config?.baseUrl ?? `http://127.0.0.1:${oauth.port}`,
    },
    { label: 'Access ID', labelInText: 'access ID', value: oauth.accessId },
    { label: 'Access secret', labelInText: 'access secret', value: secret },
  ]
  return (
    <section className="grid gap-4" aria-labelledby="oauth-configure">
      <h3 id="oauth-configure">Configure your app</h3>
      <dl className="[&_dt]:text-s [&_dt]:text-mid [&>div]:grid [&>div]:min-h-(--control) [&>div]:grid-cols-key-1 [&>div]:items-center [&>div]:gap-x-4">
        {rows.map(({ label, labelInText, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="flex items-center justify-between gap-4">
              {value === null ? (
                <span className="text-dim">the one that you entered</span>
              ) : (
                <>
                  <span className="mono wrap-anywhere select-text">
                    <Shown text={value} max={300} />
                  </span>
                  <CopyButton text={value} label={`Copy ${labelInText}`} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface Look {
  readonly icon: Icon
  readonly tone: 'info' | 'warning' | 'unsigned'
}

const looks = {
  act: { icon: Icons.MousePointerClick, tone: 'warning' },
  watch: { icon: Icons.Eye, tone: 'info' },
  work: { icon: Icons.Hourglass, tone: 'unsigned' },
} as const satisfies Record<OAuthProgress['phase'], Look>

function Step({ run, oauth }: Props) {
  const progress = run.progress ?? null
  const phase = progress?.phase ?? 'work'
  const { icon: Icon, tone } = looks[phase]
  const title = progress?.caseId ? anyCaseOf(progress.caseId)?.title : undefined
  const app = phase === 'act' ? appOf(oauth) : null
  return (
    <section className="flex items-start gap-5" aria-label="Current step">
      <span
        className="grid h-(--control-l) w-(--control-l) flex-none place-items-center rounded-md bg-tone-soft text-tone"
        data-tone={tone}
      >
        <Icon aria-hidden />
      </span>
      <div className="grid min-h-0 min-w-0 flex-1 gap-2">
        {/* Without the time, which would be announced each second. */}
        <div className="grid gap-2" role="status" aria-live="polite">
          <p className="text-l font-semibold wrap-anywhere">
            <Shown text={heading(progress, oauth)} />
          </p>
          {progress && (
            <p className="text-s wrap-anywhere text-mid">
              {progress.caseId === null ? (
                'First flow, which shows that the app can be judged.'
              ) : (
                <>
                  <b className="mono">{progress.caseId}</b>{' '}
                  <Shown text={describeVariant(title, progress.variant)} max={300} />
                </>
              )}
            </p>
          )}
          <p className="text-s text-mid">{received(progress)}</p>
        </div>
        {progress && progress.until !== null && (
          <TimeLeft
            until={progress.until}
            then={
              progress.phase !== 'act'
                ? null
                : progress.caseId === null
                  ? 'Then the run ends.'
                  : 'Then the case is skipped.'
            }
          />
        )}
        {app !== null && (
          <div className="mt-1 flex">
            <a className="button" data-small href={app} target="_blank" rel="noopener noreferrer">
              <Icons.ExternalLink /> Open your app
            </a>
          </div>
        )}
      </div>
    </section>
  )
}

function heading(progress: OAuthProgress | null, { watchTime, startUrl }: OAuthOptions): string {
  if (progress?.phase === 'watch') {
    return `Waiting ${formatDuration(watchTime)} for requests that must not happen`
  }
  if (progress?.action) return progress.action
  return startUrl === null
    ? 'Reading the requests of your app'
    : `Loading ${truncate(startUrl, 200)}`
}

/** A case with one variant may be named like it. */
function describeVariant(title: string | undefined, variant: string): string {
  if (title === undefined) return variant
  return title.toLowerCase() === variant ? title : `${title}: ${variant}`
}

/** Where the user finds the app: the origin of its redirect URL. Null: unknown. */
function appOf({ redirectUrl }: OAuthOptions): string | null {
  const url = URL.parse(redirectUrl ?? '')
  return url && isHttp(url) ? url.origin : null
}

function received(progress: OAuthProgress | null): string {
  if (!progress) return 'Received: nothing yet'
  const { authorize, token, api, other } = progress.received
  const parts = [
    authorize > 0 && plural(authorize, 'authorization request', 'authorization requests'),
    token > 0 && plural(token, 'token request', 'token requests'),
    api > 0 && plural(api, 'API call', 'API calls'),
    other > 0 && plural(other, 'other request', 'other requests'),
  ].filter((part) => part !== false)
  return `Received: ${parts.length === 0 ? 'nothing yet' : parts.join(', ')}`
}

interface TimeLeftProps {
  until: number
  /** What happens then; null: the run continues. */
  then: string | null
}

function TimeLeft({ until, then }: TimeLeftProps) {
  const now = useNow((current) => (current < until ? current + 1000 : null))
  return (
    <p className="text-s text-dim">
      {formatElapsed(Math.max(0, until - now))} left{then !== null && `. ${then}`}
    </p>
  )
}
