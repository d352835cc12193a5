import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { FailureGroup } from '#catalogue/rehearsal/root-causes.ts'
import type { Rehearsal, RehearsalRequest, VariantResult } from '#contract/rehearsal.ts'
import { formatDuration, formatSize, plural } from '#shared/text/format.ts'
import { Button, IconButton, CopyButton } from '#kit/Button.tsx'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { Fold } from '#kit/Page.tsx'
import { ErrorText, LoadFailure, Note } from '#kit/Note.tsx'
import { Prose, Shown } from '#kit/Shown.tsx'
import { statusTone, statusWord } from '#kit/text/status.ts'
import { truncate } from '#kit/text/visible.ts'
import { copyText } from '#kit/clipboard.ts'
import { useKeys } from '#client/command-registry.ts'
import { toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { editAndSend } from './commands.ts'
import { Fix } from './Fix.tsx'
import { levelMeanings, ResultMark, shownResult, type CaseRow } from './labels.tsx'

interface Props {
  run: Rehearsal
  row: CaseRow
  /** The failures with the same root cause; undefined: it did not fail. */
  failures: FailureGroup | undefined
  onClose: () => void
}

/** One case of a run: how to fix it if it failed, what was sent, expected and received, why it matters, and the command that repeats it. */
export function CaseDetail({ run, row, failures, onClose }: Props) {
  const { id, title, level, definition, result } = row
  const fix = definition && (
    <section className="grid gap-4" aria-labelledby="case-fix">
      <h3 id="case-fix">How to fix it</h3>
      {'group' in definition ? (
        <Fix topic={failures?.fix ?? definition.fix} run={run} />
      ) : (
        <p className="wrap-anywhere">{definition.fix}</p>
      )}
    </section>
  )
  const repeat = result?.repeat
  useKeys({
    ...(repeat !== undefined && {
      'rehearsal-copy': () =>
        void copyText(repeat).then(
          () => toast('valid', 'Command copied.'),
          () => toast('invalid', 'Could not copy the command.'),
        ),
    }),
  })
  return (
    // Scrollable, so it must be reachable by keyboard.
    <section
      className="case-detail h-full overflow-auto"
      aria-label={`Case ${id}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
      data-keeps-enter
    >
      <div className="grid gap-6 px-6 py-5">
        <header className="grid gap-2">
          <div className="flex items-start justify-between gap-4">
            <h2 className="text-l wrap-anywhere" tabIndex={-1}>
              <span className="mono">{id}</span> <Shown text={title} max={300} />
            </h2>
            <IconButton label="Close (Esc)" onClick={onClose}>
              <Icons.X />
            </IconButton>
          </div>
          <div className="flex flex-wrap items-center gap-2 gap-x-5">
            <ResultMark result={shownResult(row)} />
            <span className="text-s text-mid">
              <b>{level}</b>: {levelMeanings[level]}
            </span>
          </div>
        </header>
        {result !== null && result.reason !== null && (
          <Note tone={result.result === 'fail' ? 'invalid' : 'warning'}>
            <Shown text={result.reason} max={600} />
            {failures && <p className="text-dim">{failures.title}.</p>}
          </Note>
        )}
        {failures && fix}
        <dl className="definitions" aria-label="Expected and received">
          <dt>Expected</dt>
          <dd>
            <Shown text={result?.expected ?? definition?.expected ?? ''} />
          </dd>
          {result !== null && (
            <>
              <dt>Received</dt>
              <dd>
                {result.received === '' ? (
                  run.options.oauth ? (
                    'nothing'
                  ) : (
                    'nothing was sent'
                  )
                ) : (
                  <Shown text={result.received} max={400} />
                )}
              </dd>
              <dt>Time</dt>
              <dd>{formatDuration(result.durationMs)}</dd>
            </>
          )}
        </dl>
        {result === null ? (
          <p className="text-dim">This case has not run yet.</p>
        ) : (
          <Exchanges run={run} row={row} variants={result.variants} />
        )}
        {definition && (
          <section className="grid gap-3" aria-labelledby="case-why">
            <h3 id="case-why">Why it matters</h3>
            <p className="wrap-anywhere">{definition.why}</p>
            {definition.basis === null ? (
              <p className="text-dim">The API documentation does not describe this.</p>
            ) : (
              <figure className="border-l-2 border-l-line-strong pl-5">
                <figcaption className="text-s text-dim">
                  {definition.basis.startsWith('RFC') ? '' : 'API documentation, '}
                  {definition.basis}
                </figcaption>
                {definition.quote !== undefined && (
                  <blockquote>
                    <Prose text={definition.quote} />
                  </blockquote>
                )}
              </figure>
            )}
          </section>
        )}
        {!failures && fix}
        {repeat !== undefined && (
          <section aria-labelledby="case-repeat">
            <div className="flex items-center justify-between gap-4">
              <h3 id="case-repeat">Repeat only this case</h3>
              <CopyButton text={repeat} label="Copy the command" words="Copy" />
            </div>
            <CodeBlock label="Command" text={repeat} />
          </section>
        )}
      </div>
    </section>
  )
}

interface ExchangesProps {
  run: Rehearsal
  row: CaseRow
  variants: readonly VariantResult[]
}

function Exchanges({ run, row, variants }: ExchangesProps) {
  const log = useLog()
  const { state, reload } = useQuery('rehearsals.requests', {
    id: run.id,
    caseId: row.id,
    log,
  })
  const worst = variants.find(({ result }) => result === row.result?.result) ?? variants[0]
  const [variant, setVariant] = useState(worst?.name ?? null)
  if (state.phase === 'loading') return <div role="status" aria-label="Loading" />
  if (state.phase === 'failed') {
    return <LoadFailure onRetry={reload}>{state.message}</LoadFailure>
  }
  const requests = state.value.filter(
    (request) => variants.length < 2 || request.variant === variant,
  )
  return (
    <>
      {variants.length > 1 && (
        <section aria-labelledby="case-variants">
          <h3 id="case-variants">{plural(variants.length, 'variant', 'variants')}</h3>
          <ul className="framed lined mt-3 overflow-hidden">
            {variants.map((each) => (
              <li key={each.name}>
                <button
                  type="button"
                  className="list-row case-variant text-s"
                  aria-pressed={each.name === variant}
                  onClick={() => setVariant(each.name)}
                >
                  <ResultMark result={each.result} />
                  <span className="wrap-anywhere">
                    <Shown text={each.name} max={200} />
                  </span>
                  <span className="cut text-dim">
                    <Shown text={each.received} max={120} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {requests.length === 0 ? (
        <p className="text-dim">
          {row.definition && 'group' in row.definition && !row.definition.variants
            ? 'This case judges the responses to all other cases. It sends no requests of its own.'
            : 'No requests are stored for this case.'}
        </p>
      ) : (
        requests.map((request, index) => (
          <Exchange
            // The requests of a case do not change.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${variant} ${index}`}
            run={run}
            request={request}
            number={requests.length > 1 ? index + 1 : null}
            open={index === 0}
          />
        ))
      )}
    </>
  )
}

interface ExchangeProps {
  run: Rehearsal
  request: RehearsalRequest
  /** Null: the only one. */
  number: number | null
  open: boolean
}

function Exchange({ run, request, number, open }: ExchangeProps) {
  const client = useClient()
  const editable = useEditable()
  const endpoints = useEndpoints((state) => state.endpoints)
  const { method, url, status, error, repetition, bodyBytes, body, durationMs } = request
  const endpointId = endpoints.find(({ id }) => id === run.options.endpointId)?.id ?? null
  const edit = useAction(() => editAndSend(client, request, endpointId))
  const complete = body.byteLength === bodyBytes
  const target = URL.parse(url)
  const path = target ? `${target.pathname}${target.search}` : url
  // These are requests of the app and of a browser. They have no valid form to compare with, and cannot be repeated alone.
  const isOAuth = run.options.oauth !== undefined
  return (
    <Fold
      open={open}
      summary={
        <span>
          {number === null ? 'Request' : `Request ${number}`}
          {repetition > 0 && `, repetition ${repetition}`}:{' '}
          <span className="font-normal text-dim">
            {isOAuth && <Shown text={`${method} ${truncate(target?.pathname ?? url, 60)}, `} />}
            {status === null ? 'no response' : `${status} ${statusWord(status)}`}
            {!isOAuth && ` in ${formatDuration(durationMs)}`}
          </span>
        </span>
      }
    >
      <div className="grid gap-5">
        <section aria-label={isOAuth ? 'Request' : 'Sent'}>
          <div className="flex items-center justify-between gap-4">
            <h3>{isOAuth ? 'Request' : 'Sent'}</h3>
            {!isOAuth && editable && (
              <Button
                small
                icon={Icons.PenLine}
                busy={edit.busy}
                disabled={!complete}
                title={
                  complete
                    ? 'Open this request in the composer'
                    : 'Only the start of the body is stored'
                }
                onClick={() => edit.start()}
              >
                Edit and send
              </Button>
            )}
          </div>
          <ErrorText error={edit.error} />
          <div className="case-message mono mt-3 rounded-md border border-line bg-sunken px-5 py-4 text-s leading-[1.6] wrap-anywhere select-text [&_pre]:mt-4 [&_pre]:whitespace-pre-wrap [&_pre]:[font:inherit]">
            <div>
              <b>
                <Shown text={method} />
              </b>{' '}
              <Shown text={isOAuth ? url : path} max={600} />
            </div>
            {request.headers.map(([name, value], index) => (
              <Line
                // Names can repeat, so the index is the key.
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                change={request.changedHeaders.includes(index) ? 'added' : null}
                text={`${name}: ${value}`}
              />
            ))}
            {request.missingHeaders.map(([name, value]) => (
              <Line
                key={name}
                change={isReplaced(name, request) ? 'replaced' : 'missing'}
                text={`${name}: ${value}`}
              />
            ))}
            <SentBody request={request} />
          </div>
          {request.omitted !== undefined && (
            <p className="mt-2 text-s wrap-anywhere text-dim">
              Not included: <Shown text={request.omitted} max={300} />
            </p>
          )}
          {!isOAuth && <Difference request={request} />}
        </section>
        <section aria-label={isOAuth ? 'Response' : 'Received'}>
          <h3>{isOAuth ? 'Response' : 'Received'}</h3>
          {status === null ? (
            <Note tone="warning">
              <Shown text={error ?? 'There was no response.'} max={400} />
            </Note>
          ) : (
            <div className="case-message mono mt-3 rounded-md border border-line bg-sunken px-5 py-4 text-s leading-[1.6] wrap-anywhere select-text [&_pre]:mt-4 [&_pre]:whitespace-pre-wrap [&_pre]:[font:inherit]">
              <div>
                <b className="text-tone" data-tone={statusTone(status)}>
                  {status}
                </b>{' '}
                {statusWord(status)}
              </div>
              {request.responseHeaders.map(([name, value], index) => (
                // Names can repeat, so the index is the key.
                // oxlint-disable-next-line react/no-array-index-key
                <Line key={index} change={null} text={`${name}: ${value}`} />
              ))}
              <pre>
                <Lines text={responseText(request.responseBody)} />
              </pre>
            </div>
          )}
        </section>
      </div>
    </Fold>
  )
}

const changeWords = { added: 'differs', missing: 'not sent', replaced: 'valid value' } as const

interface LineProps {
  /** `replaced`: the header of a valid delivery that another value was sent for. */
  change: 'added' | 'missing' | 'replaced' | null
  text: string
}

function Line({ change, text }: LineProps) {
  const shown = <Shown text={text} max={2000} />
  if (change === null) return <div>{shown}</div>
  const Mark = change === 'added' ? 'ins' : 'del'
  return (
    <div>
      <Mark>{shown}</Mark> <span className="tag">{changeWords[change]}</span>
    </div>
  )
}

function SentBody({ request }: { request: RehearsalRequest }) {
  const { body, bodyBytes, bodyChange } = request
  if (bodyBytes === 0) return <p className="text-dim">No body</p>
  if (body.byteLength === 0) return <p className="text-dim">The body is not included.</p>
  const { before, changed, after } = changedParts(body, bodyChange)
  return (
    <>
      <pre>
        <Lines text={before} />
        {bodyChange !== null && (
          <ins>
            {changed === '' ? <span className="tag">removed</span> : <Lines text={changed} />}
          </ins>
        )}
        <Lines text={after} />
      </pre>
      {body.byteLength < bodyBytes && (
        <p className="text-dim">This is the start of {formatSize(bodyBytes)}.</p>
      )}
    </>
  )
}

function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // The text does not change, so the index is the key.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {index > 0 && '\n'}
      <Shown text={line} />
    </span>
  ))
}

function isReplaced(name: string, { headers, changedHeaders }: RehearsalRequest): boolean {
  return changedHeaders.some((index) => headers[index]?.[0].toLowerCase() === name.toLowerCase())
}

function Difference({ request }: { request: RehearsalRequest }) {
  const { changedHeaders, bodyChange } = request
  const missing = request.missingHeaders.filter(([name]) => !isReplaced(name, request))
  const parts = [
    ...(changedHeaders.length > 0
      ? [plural(changedHeaders.length, 'header differs', 'headers differ')]
      : []),
    ...(missing.length > 0
      ? [`${plural(missing.length, 'header is', 'headers are')} not sent`]
      : []),
    ...(bodyChange === null ? [] : ['the marked part of the body differs']),
  ]
  return (
    <p className="mt-2 text-s text-dim">
      {parts.length === 0
        ? 'Equal to a valid delivery.'
        : `Compared with a valid delivery: ${parts.join(', ')}.`}
    </p>
  )
}

const longest = 4000

const decoder = new TextDecoder()

export function responseText(body: Uint8Array): string {
  const text = decoder.decode(body)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

/** A body in three parts, the middle one being the part that differs from a valid delivery. */
export interface ChangedParts {
  readonly before: string
  readonly changed: string
  readonly after: string
}

/**
 * Splits a body at its change, without splitting a character. Long parts are cut far from the change.
 *
 * @param change the bytes that differ, from and to; null: none
 */
export function changedParts(
  body: Uint8Array,
  change: readonly [from: number, to: number] | null,
): ChangedParts {
  if (change === null) return { before: responseText(body), changed: '', after: '' }
  let [from, to] = change
  while (from > 0 && isContinuation(body[from])) from -= 1
  while (to > from && isContinuation(body[to])) to += 1
  const before = decoder.decode(body.subarray(0, from))
  const changed = decoder.decode(body.subarray(from, to))
  const after = decoder.decode(body.subarray(to))
  return {
    before: before.length <= longest ? before : `…${before.slice(-longest)}`,
    changed: changed.length <= longest ? changed : `${changed.slice(0, longest)}…`,
    after: after.length <= longest ? after : `${after.slice(0, longest)}…`,
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}
